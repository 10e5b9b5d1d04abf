# SPDX-License-Identifier: MIT
# Random trees in several indexes: what is said --with others follows from the bytes on the disk.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play with 1 4
