# SPDX-License-Identifier: MIT
# Random histories: roots that move, vanish and lie in one another, links, scans
# that are killed or cut off, marks, and every query.  Nothing that is said may
# be false at any time, and after a scan of all it is what the disk says.
#
#	SEEDS=3000 FIRST=1000  so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, and its steps
#	DISKS=0.3              a part of them has disks (ext4, xfs, btrfs) that are mounted and unmounted, as root
#
# A history that fails is printed as a shell script, as short as can be found
# in SHRINK=60 seconds.

. "$srcdir/tests/agree/play.sh"
play history 1 5
