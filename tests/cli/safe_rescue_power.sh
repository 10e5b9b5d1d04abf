# SPDX-License-Identifier: MIT
# ACT-18: what safe --rescue says is copied is there after a loss of power, whole and with its directories, also where the file system keeps no log.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4 e2fsck truncate
mkdir m
for f in 1 2 3 4 5 6 7 8 9; do
	mkdir -p old/d$f
	seq $f 9000 >old/d$f/$f
	printf 'small %s' $f >old/small-$f
done
ln old/small-1 old/d1/link
find old -type d -exec touch -d 2001-01-01 {} +
for options in '' '-O ^has_journal'; do
	rm -f "$TWINDEX_DB"* "$T/disk"
	truncate -s 64M "$T/disk"
	# shellcheck disable=SC2086
	mkfs.ext4 -q -F $options "$T/disk" && mount -o loop "$T/disk" m || skip 'cannot mount here'
	sync -f m
	scan old
	run 0 safe old --rescue m/keep --yes
	out_has 'copied 19 files'
	# What the disk has at this moment is what a loss of power would leave.
	cp --sparse=always "$T/disk" "$T/cut"
	umount m
	e2fsck -fy "$T/cut" >"$T/fsck" 2>&1 || [ $? -lt 4 ] || fail "e2fsck: $(cat "$T/fsck")"
	mount -o loop "$T/cut" m || fail 'cannot mount it again'
	diff -r old m/keep || fail "ext4 $options: what was copied is gone: $(cat "$T/fsck")"
	[ "$(stat -c %Y m/keep/d1 m/keep/d9)" = "$(stat -c %Y old/d1 old/d9)" ] || fail "ext4 $options: directories have other times"
	umount m
done
