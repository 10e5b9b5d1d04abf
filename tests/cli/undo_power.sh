# SPDX-License-Identifier: MIT
# What undo gave back has its name after a loss of power, also where the file system keeps no log.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4 e2fsck truncate
mkdir m "$T/whole"
for f in 1 2 3 4 5; do seq $f 20000 >"$T/whole/$f"; done
for options in '' '-O ^has_journal'; do
	rm -f "$TWINDEX_DB"*
	rm -f "$T/disk"
	truncate -s 64M "$T/disk"
	# shellcheck disable=SC2086
	mkfs.ext4 -q -F $options "$T/disk" && mount -o loop "$T/disk" m || skip 'cannot mount here'
	mkdir m/d m/e
	cp "$T/whole"/* m/d
	cp m/d/* m/e
	sync -f m
	run 0 -q scan --racy-window 0s m
	run 0 -q rm -r m/d --yes
	sync -f m
	run 0 -q undo
	# What the disk has at this moment is what a loss of power would leave.
	cp --sparse=always "$T/disk" "$T/cut"
	umount m
	e2fsck -fy "$T/cut" >"$T/fsck" 2>&1 || [ $? -lt 4 ] || fail "e2fsck: $(cat "$T/fsck")"
	mount -o loop "$T/cut" m || fail 'cannot mount it again'
	diff -r "$T/whole" m/d || fail "ext4 $options: what came back is gone: $(cat "$T/fsck")"
	umount m
done
