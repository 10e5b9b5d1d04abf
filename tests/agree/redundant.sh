# SPDX-License-Identifier: MIT
# Random trees: the directories that redundant says can go are those of an independent
# computation, and when all of them are removed every content is still there; and at-risk
# names the files that have no other copy.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
. "$srcdir/tests/agree/ordinary.sh"
play redundant 1 4
