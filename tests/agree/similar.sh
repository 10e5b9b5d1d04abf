# SPDX-License-Identifier: MIT
# Random trees: the pairs that similar tells, all their numbers and which are folded, follow from the rules.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play similar 1 4
