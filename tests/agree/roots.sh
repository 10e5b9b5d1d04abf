# SPDX-License-Identifier: MIT
# Roots are renamed, swapped, replaced, removed, nested: the next scan of everything has each
# of them where the rule of src/scan/root_place.c says, and every file once, with its state.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

. "$srcdir/tests/agree/play.sh"
play roots 1 3
