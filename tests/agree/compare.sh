# SPDX-License-Identifier: MIT
# Random pairs of trees: what compare and contained say of every file follows from the bytes on the disk.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
. "$srcdir/tests/agree/ordinary.sh"
play compare 1 4
