# SPDX-License-Identifier: MIT
# After random edits on a btrfs or an xfs a scan that asks the file system what changed comes to the rows of a
# scan of everything.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, telling what it does; KEEP=1 leaves its tree behind

[ "$(id -u)" = 0 ] || { echo "only root may mount, and ask what changed"; exit 77; }
command -v mkfs.btrfs >/dev/null && command -v mkfs.xfs >/dev/null || { echo "no mkfs.btrfs, or no mkfs.xfs"; exit 77; }
. "$srcdir/tests/agree/play.sh"
play volumes 1 2
