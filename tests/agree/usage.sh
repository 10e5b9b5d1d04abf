# SPDX-License-Identifier: MIT
# Random trees: the sums that du, waste and tree show of every directory, the
# names that where finds, and what the parts of a page of report --html add up to
# are those of an independent computation.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play usage 1 3
