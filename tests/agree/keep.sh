# SPDX-License-Identifier: MIT
# Random trees and rules: which copies rm, report and mark drop choose is what the manual's order says,
# computed independently; and no content is ever gone.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play keep 1 3
