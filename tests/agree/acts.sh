# SPDX-License-Identifier: MIT
# Decisions, acts, edits, scans and kills at random: no content ever disappears, and what an act
# does is what it was told.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play acts 1 2
