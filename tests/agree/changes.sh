# SPDX-License-Identifier: MIT
# After random edits scan --dirty-from, with the list of what they touched, leaves the rows of a scan that looks
# at everything.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play changes 1 4
