# SPDX-License-Identifier: MIT
# ACT-11: after rm and a loss of power, a copy that was made just before is whole: what went had lain on the disk for long.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root may mount'
need unshare mount mkfs.ext4 xfs_io truncate
truncate -s 48M "$T/disk" && mkfs.ext4 -q -F "$T/disk" || skip 'no ext4 here'
mkdir m
cat >"$T/power.sh" <<'END'
mount -o loop "$T/disk" m 2>/dev/null || exit 77
mkdir m/d m/e
for f in 1 2 3; do
	seq $f 20000 >m/d/$f
done
sync
for f in 1 2 3; do
	cp m/d/$f m/e/$f
done
"$TWINDEX" -q scan --racy-window 0s m || exit
"$TWINDEX" -q rm -r m/d --yes || exit
# What another program writes takes the removals to the disk with it.
printf 'x' >m/unrelated
xfs_io -c fsync m/unrelated
xfs_io -x -c shutdown m 2>/dev/null || exit 77
umount m && mount -o loop "$T/disk" m || exit 99
for f in 1 2 3; do
	[ ! -e m/d/$f ] || echo "d/$f is back"
	seq $f 20000 | cmp - m/e/$f || exit 1
done
umount m
END
unshare -m sh "$T/power.sh" >"$T/out" 2>"$T/err"
got=$?
[ $got -ne 77 ] || skip 'no disk that can lose its power here'
[ $got -eq 0 ] || fail "status $got: $(cat "$T/out" "$T/err")"
