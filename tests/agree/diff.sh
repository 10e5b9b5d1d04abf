# SPDX-License-Identifier: MIT
# Random histories of a tree: what diff says between any two scans explains how the states of the index differ,
# and what it calls lost is nowhere; computed independently from what the index held after each run.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
. "$srcdir/tests/agree/ordinary.sh"
play diff 1 3
