# SPDX-License-Identifier: MIT
# Random trees with git work trees, environments and the like: what rm and report say goes is computed independently, and
# no answer takes a part of one.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play wholes 1 3
