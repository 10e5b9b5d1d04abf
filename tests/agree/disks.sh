# SPDX-License-Identifier: MIT
# Random trees on several disks, some of which are not there: what volumes tells of each, and what states, sets,
# at-risk and redundant say with and without --online, follows from the bytes on the disks.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
. "$srcdir/tests/agree/ordinary.sh"
play disks 1 2
