# SPDX-License-Identifier: MIT
# Random pairs of trees: the script of moves, and a copy of what it lists, give one the layout of the other, and lose nothing.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
. "$srcdir/tests/agree/ordinary.sh"
play moves 1 4
