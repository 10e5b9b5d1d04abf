# SPDX-License-Identifier: MIT
# One image on two devices at one time: the copy on the second may be the file itself, which no probe tells, for each has
# a cache of its own: rm keeps the file, and no question counts it.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4 losetup
mkdir m1 m2
truncate -s 32M image
mkfs.ext4 -q -O ^metadata_csum_seed image || skip 'cannot make a file system'
one=$(losetup -f --show image) || skip 'no loop devices'
two=
trap 'cd / && unmount; for l in "$one" $two; do losetup -d $l; done; cleanup' EXIT
mount "$one" m1 || skip 'cannot mount here'
mkdir m1/d
echo 'the only copy' >m1/d/f
umount m1
mount "$one" m1
two=$(losetup -f --show image)
mount -o ro,noload "$two" m2 || skip 'cannot be mounted twice here'
scan m1 m2
run 3 contained m1 m2
err_has 'not judged: 1 unknown'
run 1 redundant m1
run 1 at-risk m1
run 3 uniques -x m1/d m1/d
run 1 mark drop m1/d/f
# The first attempt has given it another time of status change than the other device shows.
for attempt in 1 2; do
	run 1 rm -ry m1/d
	out_has 'it may be the same file'
	[ -f m1/d/f ] || fail "the only copy is gone at attempt $attempt"
done
# A portable script names it, and leaves it by itself.
run 0 rmsh --portable -r m1/d
grep -q "m2/d/f" "$T/out" || fail 'the script names no copy'
cp "$T/out" script
for attempt in 1 2; do
	sh ./script >"$T/out" 2>"$T/err"
	[ -f m1/d/f ] || fail "the only copy is gone by a script at attempt $attempt"
	grep -q 'may be the same file as its copy' "$T/out" "$T/err" || fail 'not the reason'
done
