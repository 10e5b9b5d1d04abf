# SPDX-License-Identifier: MIT
# What lies on a mounted image is lost with the disk that holds the image's file: for at-risk --one-volume and volumes
# both are one disk, as two images beside each other are, whatever else the index has met, and after the image is gone.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need_linux 'images'
own_mounts
mkdir a b docs m1 m2
for d in a b; do
	mount -t tmpfs none $d || skip 'no tmpfs here'
	mkdir $d/docs
done
disk a/one m1
disk a/two m2

# Only the images: the index knows nothing of the disk below them.
echo 'what both have' >m1/f
cp m1/f m2/f
scan m1 m2
run 0 at-risk m1
run 1 at-risk --one-volume m1
out_has "$T/work/m1"
run 0 volumes --json
[ "$(tr -d ' \n' <"$T/out" | grep -o '"only_files":1' | wc -l)" = 2 ] || fail 'the copies count as those of two disks'

# With the disk, and with another one.
cp m1/f a/docs
scan a/docs
run 1 at-risk --one-volume a/docs m1 m2
cp m1/f b/docs
scan b/docs
run 0 at-risk --one-volume a/docs m1 m2 b/docs
rm b/docs/f
scan b/docs

# One that is mounted no more was on that disk.
rm m2/f a/docs/f
echo 'on m1, and on the disk' >a/docs/g
cp a/docs/g m1/g
scan a/docs m1 m2
umount m1
run 1 at-risk --one-volume a/docs
run 0 at-risk a/docs

# The file is moved: the next scan knows it.
mv a/one b/one
mount -o loop b/one m1 || skip 'cannot mount here'
scan m1
run 0 at-risk --one-volume a/docs
umount m1

# An image in an image lies on the disk below both; a partition of an image is like one without.
umount m2
mkdir m3
truncate -s 32M a/outer
mkfs.ext4 -q -F a/outer
mount -o loop a/outer m2
disk m2/inner m3
echo 'far in' >a/docs/h
cp a/docs/h m3/h
scan a/docs m3
run 1 at-risk --one-volume a/docs/
