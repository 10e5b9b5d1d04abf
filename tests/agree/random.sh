# SPDX-License-Identifier: MIT
# Random trees, random edits: the sets and states that twindex names are those
# of an independent computation, and its invariants hold.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play agree 1 4
