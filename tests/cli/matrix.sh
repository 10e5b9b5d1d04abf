# SPDX-License-Identifier: MIT
# What counts as a copy, for every question and act: one file, a/f, whose other names or copies are as the row says.
# A row has the exit statuses that the manual gives, and whether uniques lists the file.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

[ "$(id -u)" != 0 ] || own_mounts

# Each makes the world of a row, and scans it.
at() { mkdir -p "$1" && cp a/f "$1/f"; }
plain() { at b; scan .; }
hidden() { at .h; scan .; }
trash() { at .Trash-7/files; scan .; }
cache() { at .cache/x; scan .; }
tagged() { at c/x; printf 'Signature: 8a477f597d28d172789f06886806bc55\n' >c/CACHEDIR.TAG; scan .; }
snapshot() { at .snapshots/1/snapshot; scan .; }
shared() { mkdir pool && cp a/f pool/ && chown 1002 pool/f 2>/dev/null && chmod 1777 pool && scan .; }
excluded() { at b; scan --exclude /b .; }
changed() { at b; scan .; echo another >b/f; }
gone() { at b; scan .; rm b/f; }
new() { scan .; at b; }
link_in() { ln a/f a/g; scan .; }
link_out() { mkdir b; ln a/f b/f; scan .; }
link_unmet() { ln a/f "$T/outside"; scan .; }
dropped() { at b; scan .; run 0 mark drop b/f; }
parts() { scan .; sleep 0.05; mkdir b; ln a/f b/f; scan b; }
memory() { mkdir ram; mount -t tmpfs none ram && cp a/f ram/ && scan .; }
offline() { mkdir disk; truncate -s 4M "$base/image"; mkfs.ext4 -q -F "$base/image" && mount -o loop "$base/image" disk && cp a/f disk/ && scan . && umount disk; }
overlaid() {
	mkdir -p up/u up/w seen
	mount -t overlay -o "lowerdir=$PWD/a,upperdir=$PWD/up/u,workdir=$PWD/up/w" none seen || return
	scan a seen
}
seen_by_fuse() { mkdir seen && command -v bindfs >/dev/null && bindfs a seen && scan a seen; }
network() { mkdir far seen && cp a/f far/f && command -v bindfs >/dev/null && bindfs far seen && scan --exclude /far .; }
bound() { mkdir seen && mount --bind a seen && scan a && scan .; }
covered() { at seen; scan .; mount -t tmpfs none seen; }

# Whether a file is seen twice rm tries out, and keeps it; -n can't, and keeps it as well.
cat >"$T/rows" <<'END'
row           file uniques contained at-risk redundant mark rm
plain            0      no         0       0         0    0  0
hidden           0      no         0       0         0    0  0
dropped          0      no         0       0         0    1  0
trash            1     yes         1       1         1    1  1
cache            1     yes         1       1         1    1  1
tagged           1     yes         1       1         1    1  1
snapshot         1     yes         1       1         1    1  1
shared           1     yes         1       1         1    1  1
memory           1     yes         1       1         1    1  1
excluded         1     yes         3       1         1    1  1
gone             1     yes         1       1         1    1  1
new              1     yes         3       1         1    1  1
changed          1      no         3       3         3    1  3
offline          1      no         3       0         3    1  3
overlaid         1      no         3       1         1    1  1
seen_by_fuse     1      no         3       1         1    1  1
network          1     yes         3       1         1    1  1
bound            1     yes         1       1         1    1  1
covered          1      no         3       0         3    1  3
link_in          1      no         1       1         1    1  1
link_out         1      no         0       1         0    1  1
link_unmet       1     yes         1       1         1    1  1
parts            1      no         3       3         3    1  3
END

# What lies in memory has copies in memory: the row of that wants a disk.
base=$(mktemp -d "${DISK_TMPDIR:-/tmp}/twindex-matrix.XXXXXX") || exit 99
base=$(cd "$base" && pwd -P)
trap 'cd / && unmount; for d in "$base"/*/ram "$base"/*/up "$base"/*/seen "$base"/*/disk; do umount -l "$d" 2>/dev/null; done; rm -rf "$base"; cleanup' EXIT
case $(df --output=fstype "$base" 2>/dev/null | tail -n 1) in tmpfs | ramfs | overlay) sed -i.was '/^memory/d' "$T/rows" ;; esac
wrong=0
sed 1d "$T/rows" >"$T/cells"
while read -r row file uniques contained risk redundant mark rm; do
	case $row in memory | offline | overlaid | seen_by_fuse | network | bound | covered) [ "$(id -u)" = 0 ] && is_linux || continue ;; esac
	cd "$base" || exit 99
	mkdir "$row" && cd "$row" || exit 99
	rm -f "$TWINDEX_DB"*
	mkdir a
	echo content >a/f
	if ! $row 2>/dev/null; then
		echo "$row: cannot be made here"
		continue
	fi
	got=
	for command in 'file a/f' "contained a ." 'at-risk a' 'redundant a' 'mark drop a/f' 'rm -n a/f'; do
		status=0
		# shellcheck disable=SC2086
		"$TWINDEX" $command >/dev/null 2>&1 </dev/null || status=$?
		got="$got $status"
		[ "$command" != 'mark drop a/f' ] || "$TWINDEX" mark clear a >/dev/null 2>&1
	done
	"$TWINDEX" uniques -0 a 2>/dev/null | tr '\0' '\n' | grep -q /a/f && listed=yes || listed=no
	# shellcheck disable=SC2086
	set -- $got
	printf '%-14s %4s %7s %9s %7s %9s %4s %2s' "$row" "$1" $listed "$2" "$3" "$4" "$5" "$6"
	if [ "$1 $listed $2 $3 $4 $5 $6" = "$file $uniques $contained $risk $redundant $mark $rm" ]; then
		echo
	else
		wrong=$((wrong + 1))
		echo "   expected: $file $uniques $contained $risk $redundant $mark $rm"
	fi
done <"$T/cells"
[ $wrong -eq 0 ] || fail "$wrong rows"
