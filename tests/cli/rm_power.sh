# SPDX-License-Identifier: MIT
# ACT-11: after rm and a loss of power, copies that were made just before are whole, few or many: what went had lain on the disk for long.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root may mount'
need unshare mount xfs_io truncate
mkdir m
cat >"$T/power.sh" <<'END'
files=$(seq "$1")
mount -o loop "$T/disk" m 2>/dev/null || exit 77
mkdir m/d m/e
for f in $files; do
	seq $f 20000 >m/d/$f
done
sync
for f in $files; do
	cp m/d/$f m/e/$f
done
"$TWINDEX" -q scan --racy-window 0s m || exit
"$TWINDEX" -q rm -r m/d --yes || exit
# What another program writes takes the removals to the disk with it.
printf 'x' >m/unrelated
xfs_io -c fsync m/unrelated
xfs_io -x -c shutdown m 2>/dev/null || exit 77
umount m && mount -o loop "$T/disk" m || exit 99
for f in $files; do
	[ ! -e m/d/$f ] || echo "d/$f is back"
	seq $f 20000 | cmp - m/e/$f || exit 1
done
umount m
END
ran=
for fs in ext4 xfs; do
	command -v mkfs.$fs >/dev/null || continue
	for n in 3 40; do
		rm -f "$T/disk" "$TWINDEX_DB"*
		truncate -s 320M "$T/disk"
		case $fs in
		ext4) mkfs.ext4 -q -F "$T/disk" ;;
		xfs) mkfs.xfs -q -f "$T/disk" ;;
		esac || skip "no $fs here"
		unshare -m sh "$T/power.sh" $n >"$T/out" 2>"$T/err"
		got=$?
		[ $got -ne 77 ] || skip 'no disk that can lose its power here'
		[ $got -eq 0 ] || fail "$fs, $n files: status $got: $(cat "$T/out" "$T/err")"
		ran=1
	done
done
[ -n "$ran" ] || skip 'no file system to lose its power'
