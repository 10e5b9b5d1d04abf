# SPDX-License-Identifier: MIT
# Another image at the mount point of one that has no UUID, with files of the same names, sizes, inodes and times, is
# another volume; one that has a UUID is known by it wherever it is mounted.
# Its own /dev would hide what lies there.
case ${TMPDIR:-} in /dev/*) TMPDIR=/tmp ;; esac
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux ids of file systems, and what is mounted

need mksquashfs
own_mounts
mkdir "$T/tree" m n
for image in one two; do
	printf 'first' >"$T/tree/"a
	printf '%5s' $image >"$T/tree/"b
	[ $image = one ] || printf 'other' >"$T/tree/"a
	touch -d @1000000000 "$T/tree/a" "$T/tree/b" "$T/tree"
	mksquashfs "$T/tree" "$T/$image" -quiet -no-progress -mkfs-time 1000000000 -all-time 1000000000 >/dev/null 2>&1 ||
		skip 'mksquashfs cannot set times'
done
printf 'first' >copy
mount -o loop "$T/one" m 2>/dev/null || skip 'cannot mount here'
scan .
run 0 file copy
out_has 'm/a'
umount m
mount -o loop "$T/two" m
scan .
run 1 file copy
for query in uniques 'uniques m'; do
	# shellcheck disable=SC2086
	run 0 $query
	out_has 'm/a'
done
run 0 check

# With a UUID, known to udev, it may be mounted anywhere, by any device.
mkdir "$T/dev"
[ -d /dev/disk ] || {
	mount -t tmpfs dev "$T/dev" && cp -a /dev/null /dev/loop* "$T/dev/" && mkdir "$T/dev/disk" &&
		mount --move "$T/dev" /dev || skip 'cannot make a directory of devices'
}
mount -t tmpfs uuid /dev/disk && mkdir /dev/disk/by-uuid || skip 'cannot mount on /dev/disk'
# uuid MOUNT-POINT: what is mounted there has one.
uuid()
{
	rm -f /dev/disk/by-uuid/*
	# shellcheck disable=SC2046
	mknod /dev/disk/by-uuid/1234-ABCD b $($AWK -v m="$1" '$5 == m { sub(":", " ", $3); print $3 }' /proc/self/mountinfo) ||
		skip 'cannot make a device'
}
uuid "$T/work/m"
scan .
rows "SELECT key LIKE 'squashfs:uuid=1234-ABCD,%' FROM volume_view WHERE type = 'squashfs' ORDER BY volume_id DESC LIMIT 1"
out <<'END'
1
END
# Forth and back: the old mount point, empty now, is met before the new one, or after it.
from=m
for to in n m; do
	umount $from
	mount -o loop "$T/two" $to || skip 'cannot mount again'
	uuid "$T/work/$to"
	scan .
	out_line 'index       0 new, 0 changed, 0 gone, 3 unchanged'
	out_line 'read        0 files, 0 B'
	run 0 check
	from=$to
done
# Nowhere: offline.
umount $from
run 3 scan .
out_line 'index       0 new, 0 changed, 0 gone, 1 unchanged'
err_has "'$T/work/$from': empty now, as if not mounted: its files stay in the index"
rows "SELECT path FROM file_view ORDER BY path"
out_has "$T/work/$from/a"
