# SPDX-License-Identifier: MIT
# Scans that are stopped, or killed, at any point: what the index then claims of large files is what
# a plain computation says of them, it claims nothing of what was not read, and the next scan goes on.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play anytime 1 3
