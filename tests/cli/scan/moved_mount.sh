# SPDX-License-Identifier: MIT
# A root that is mounted elsewhere keeps its options and its hashes, although its old mount point stays;
# one that is mounted twice is scanned where the index knows it.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4
truncate -s 8M disk
mkfs.ext4 -q disk 2>/dev/null || skip 'cannot make a file system'
mkdir m1 m2
mount -o loop disk m1 2>/dev/null || skip 'cannot mount here'
mkdir m1/.h
printf 'same' >m1/.h/a
printf 'same' >m1/b
scan --max-size 1M --racy-window 0s m1
umount m1
mount -o loop disk m2
scan --racy-window 0s m2
out_line 'index       0 new, 0 changed, 0 gone, 2 unchanged'
out_line 'read        0 files, 0 B'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
m2/.h/a
m2/b

END
mount --bind m2 m1
scan --racy-window 0s m1
rows 'SELECT path, max_size FROM root_view'
out <<END
$T/work/m2	1048576
END
