# SPDX-License-Identifier: MIT
# where by the order of all names says what it says by a look at every directory, and what the rows say,
# after random edits, scans, killed ones, and acts; and check finds every name in that order.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	                       Without either a seed has 4 steps in place of 10.
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play names 1 2
