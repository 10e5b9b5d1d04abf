# SPDX-License-Identifier: MIT
# What shares its blocks with another file frees none: in report, in the plans of rm and link, and when they are done.
. "$srcdir/tests/cli/lib.sh"
need_linux shared blocks

[ "$(id -u)" = 0 ] || skip 'only root can mount'
need unshare mount
[ -n "${in_namespace:-}" ] || {
	in_namespace=yes unshare -m true 2>/dev/null || skip 'no mount namespaces'
	trap - EXIT
	cleanup
	in_namespace=yes exec unshare -m sh "$srcdir/tests/cli/report_shared_blocks.sh"
}
mkdir m
trap 'umount "$T/work/m" 2>/dev/null; cleanup' EXIT
tried=
fill() { head -c $(($1 * 1024)) /dev/zero | tr '\0' "$2"; }

for fs in btrfs xfs; do
	command -v mkfs.$fs >/dev/null || continue
	rm -f disk "$TWINDEX_DB"*
	truncate -s 320M disk
	case $fs in
	btrfs) mkfs.btrfs -q disk ;;
	xfs) mkfs.xfs -q -m reflink=1 disk ;;
	esac >/dev/null 2>&1 || continue
	mount -o loop disk m 2>/dev/null || continue
	tried=yes
	# All in common; none; two of three; a part.
	fill 512 a >m/a1
	cp --reflink=always m/a1 m/a2
	fill 400 b >m/b1
	cp --reflink=never m/b1 m/b2
	fill 300 c >m/c1
	cp --reflink=always m/c1 m/c2
	cp --reflink=never m/c1 m/c3
	fill 200 d >m/d1
	cp --reflink=always m/d1 m/d2
	fill 64 d | dd of=m/d2 conv=notrunc 2>/dev/null
	sync
	scan m
	run 0 report --json
	tr '{' '\n' <"$T/out" | sed -n 's/.*"size":\([0-9]*\),.*"redundant":\([0-9]*\),"redundant_disk":\([0-9]*\).*/\1 \2 \3/p' >"$T/sets"
	for set in "$((512 * 1024)) $((512 * 1024)) 0" "$((400 * 1024)) $((400 * 1024)) $((400 * 1024))" \
		"$((300 * 1024)) $((600 * 1024)) $((300 * 1024))" "$((200 * 1024)) $((200 * 1024)) $((64 * 1024))"; do
		grep -qx "$set" "$T/sets" || fail "$fs: no set $set: $(cat "$T/sets")"
	done
	run 0 report
	out_has '2 copies of 512.0 KiB each, 512.0 KiB redundant (0 B on disk)'
	# Their plans, and what comes of them.
	run 0 rm -n m/a2
	out_has 'would remove 1 file, 0 B'
	run 0 rm -n m/b2
	out_has 'would remove 1 file, 400.0 KiB'
	run 0 link --reflink -n m/a2
	out_has '1 file, 0 B'
	run 0 rm --yes m/a2
	out_has '0 B freed'
	run 0 link --reflink --yes m/b2
	out_has '400.0 KiB freed'
	run 0 link --reflink --yes m/b2
	out_has '0 B freed'
	run 0 rm --yes m/b2
	out_has '0 B freed'
	run 0 rm --yes m/c3
	out_has '300.0 KiB freed'
	run 0 check
	umount m
done
[ -n "$tried" ] || skip 'no file system that shares blocks'
