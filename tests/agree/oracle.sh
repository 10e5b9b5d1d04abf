# SPDX-License-Identifier: MIT
# Random histories of trees with caches, trashes, snapshots, hard links, scans of parts, options and kills, as root
# also of disks, memory, bind mounts and overlays: what an answer calls safe to remove is removed in a picture of the
# disk, and every content must be left where the manual lets one rely on it.  How often each question lets something go
# is printed, for an oracle that is never told "yes" proves nothing.
#
#	SEEDS=500 FIRST=1000   so many seeds, from there (default: 1 from 1)
#	SEED=17                this one alone, and its steps
#
# A history that fails is printed as a shell script, as short as can be found
# in SHRINK=60 seconds.

. "$srcdir/tests/agree/play.sh"
play oracle 1 4
