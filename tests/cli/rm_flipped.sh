# SPDX-License-Identifier: MIT
# Where rm and link meet a byte that a disk has flipped, they say which file it is, and the index keeps the good one.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4 debugfs
mkdir m
truncate -s 8M "$T/disk" && mkfs.ext4 -q -F "$T/disk" >/dev/null 2>&1 || skip 'mkfs.ext4 fails'
mount -o loop "$T/disk" m 2>/dev/null || skip 'cannot mount here'
mkdir m/a m/b
seq 20000 >m/a/photo
cp -p m/a/photo m/b/photo
scan m
umount m
block=$(debugfs -R 'blocks /a/photo' "$T/disk" 2>/dev/null | cut -d' ' -f1)
size=$(debugfs -R stats "$T/disk" 2>/dev/null | sed -n 's/^Block size: *//p')
printf '!' | dd of="$T/disk" bs=1 seek=$((block * size + 77)) conv=notrunc 2>/dev/null
cp "$TWINDEX_DB" "$T/before"
for act in 'rm m/b/photo' 'rm m/a/photo' 'link --hard m/b/photo'; do
	cp "$T/before" "$TWINDEX_DB"
	mount -o loop "$T/disk" m || fail 'cannot be mounted again'
	run 3 $act --yes
	err_has "; '$T/work/m/a/photo' does not have the content any more that it was indexed with"
	err_lacks "'$T/work/m/b/photo' does not have"
	# The good one is known still, and not offered as a copy of the other one.
	run 0 validate m/b/photo
	out_has 'fine        1 file'
	run 3 ls m/b/photo
	out_has unknown
	umount m
done
