# SPDX-License-Identifier: MIT
# On a file system without links and without renames that replace nothing, names are given back: by rm that gives way, undo
# and recover.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mount.exfat-fuse mkfs.exfat losetup
mkdir m
truncate -s 64M image
mkfs.exfat image >/dev/null 2>&1 || skip 'cannot make a file system'
loop=$(losetup -f --show image) || skip 'no loop devices'
trap 'cd / && unmount; losetup -d "$loop"; cleanup' EXIT
mount.exfat-fuse "$loop" m >/dev/null 2>&1 || skip 'cannot mount here'
mkdir m/Photos m/A m/B
for i in 1 2 3; do
	echo "content $i" >m/Photos/f$i
	echo "copied $i" >m/A/g$i
	cp m/A/g$i m/B/
done
# Two cases of a name have two numbers: the copy is gone with the file, which gets its name back.
scan m/Photos m/photos m/A m/B
run 3 rm -ry m/Photos
[ "$(ls -A m/Photos | tr '\n' ' ')" = 'f1 f2 f3 ' ] || fail "names are lost: $(ls -A m/Photos)"
run 0 recover
# A true copy.
run 0 rm -ry --in m/B m/A
[ -z "$(ls -A m/A)" ] || fail "left: $(ls -A m/A)"
run 0 undo
for i in 1 2 3; do
	[ "$(cat m/A/g$i)" = "copied $i" ] || fail "g$i is not back"
done
