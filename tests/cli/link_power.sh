# SPDX-License-Identifier: MIT
# ACT-11 for links and undo: after a loss of power every name has its whole content, whichever of its two states it has.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root may mount'
need unshare mount xfs_io truncate
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
"$TWINDEX" -q link --$1 -r m/d --yes || exit
[ $2 = link ] || "$TWINDEX" -q undo || exit
# What another program writes takes the acts to the disk with it, or does not.
[ $3 = lost ] || { printf 'x' >m/unrelated; xfs_io -c fsync m/unrelated; }
xfs_io -x -c shutdown m 2>/dev/null || exit 77
umount m && mount -o loop "$T/disk" m || exit 99
for f in 1 2 3; do
	seq $f 20000 >"$T/whole"
	cmp "$T/whole" m/e/$f && cmp "$T/whole" m/d/$f || exit 1
done
umount m
END
for fs in ext4 xfs; do
	command -v mkfs.$fs >/dev/null || continue
	for kind in hard soft; do
		for way in 'link lost' 'link kept' 'undo kept'; do
			rm -f "$T/disk" "$TWINDEX_DB"*
			truncate -s 320M "$T/disk"
			case $fs in
			ext4) mkfs.ext4 -q -F "$T/disk" ;;
			xfs) mkfs.xfs -q -f "$T/disk" ;;
			esac || skip "no $fs here"
			# shellcheck disable=SC2086
			unshare -m sh "$T/power.sh" $kind $way >"$T/out" 2>"$T/err"
			got=$?
			[ $got -ne 77 ] || skip 'no disk that can lose its power here'
			[ $got -eq 0 ] || fail "$fs, $kind, $way: status $got: $(cat "$T/out" "$T/err")"
		done
	done
done
