# SPDX-License-Identifier: MIT
# Where rm and link meet a byte that a disk has flipped, they say which file it is, and the index keeps the good one.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need debugfs
mkdir m
disk "$T/disk" m
mkdir m/a m/b
seq 20000 >m/a/photo
cp -p m/a/photo m/b/photo
scan m
umount m
flip_byte "$T/disk" /a/photo
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
