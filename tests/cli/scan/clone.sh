# SPDX-License-Identifier: MIT
# Two file systems with one UUID, the second a copy of the first's disk, are two: neither takes the other's root,
# rows or inodes, in whichever order they are met, and each is known again when it is mounted alone.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4
truncate -s 4M "$T/disk"
mkfs.ext4 -q -F "$T/disk" 2>/dev/null || skip 'cannot make a file system'
mkdir a b
mount -o loop "$T/disk" b 2>/dev/null || skip 'cannot mount here'
rmdir b/lost+found
mkdir b/d
printf 'same' >b/d/x
printf 'alone' >b/y
umount b
cp "$T/disk" "$T/clone"
mount -o loop "$T/disk" b || skip 'cannot mount again'
scan --exclude 'z*' b
mount -o loop "$T/clone" a || skip 'cannot mount a copy of a file system'
printf 'own' >a/own

# What is not in the index is no link of what is.
run 0 file a/d/x
out_has 'dup'
out_lacks 'linked'
# The copy is scanned: the original's root and rows stay, and their files are no links.  Nor are they certainly copies: one
# image on two devices looks the same.
scan a
out_line 'index       3 new, 0 changed, 0 gone, 0 unchanged'
rows 'SELECT path FROM root_view ORDER BY path'
out <<END
$T/work/a
$T/work/b
END
run 0 ls -c "$T/work/" a b
out <<'END'
    unique  a/own
   unknown  a/y (another copy may be the same file, seen through an overlay or a FUSE program)
   unknown  a/d/x (another copy may be the same file, seen through an overlay or a FUSE program)
   unknown  b/y (another copy may be the same file, seen through an overlay or a FUSE program)
   unknown  b/d/x (another copy may be the same file, seen through an overlay or a FUSE program)
END
run 0 check
# In whatever order they come, and whether both are there.
for args in '' b a 'a b' 'b a'; do
	# shellcheck disable=SC2086
	scan $args
	out_line 'index       0 new, 0 changed, 0 gone, [235] unchanged'
	out_line 'read        0 files, 0 B'
done
umount b
run 3 scan --racy-window 0s
out_line 'read        0 files, 0 B'
scan a
out_line 'index       0 new, 0 changed, 0 gone, 3 unchanged'
umount a
mount -o loop "$T/disk" b || skip 'cannot mount again'
scan b
out_line 'index       0 new, 0 changed, 0 gone, 2 unchanged'
run 0 check
