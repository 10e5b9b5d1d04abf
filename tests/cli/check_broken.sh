# SPDX-License-Identifier: MIT
# check finds claims without proof (1) and a damaged file (5), and changes nothing.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
i=0
while [ $i -lt 60 ]; do
	printf 'same %s' $((i % 10)) >file_with_a_name_$i
	i=$((i + 1))
done
scan .
run 0 check
out <<'END'
ok
END
run 0 -q check
out </dev/null
broken()
{
	cp "$TWINDEX_DB" "$T/broken.db"
	"$SQLITE3" "$T/broken.db" "$1" || fail 'sqlite3'
	run 1 -d "$T/broken.db" check
	out_has 'broken: '
	out_has 'invariant'
}
broken "UPDATE file SET hash = NULL WHERE name = 'file_with_a_name_1'"
broken "UPDATE file SET dir = 4711 WHERE name = 'file_with_a_name_1'"
broken "UPDATE file SET name = 'a/b' WHERE name = 'file_with_a_name_1'"
broken "UPDATE file SET name = '..' WHERE name = 'file_with_a_name_1'"
broken "UPDATE dir SET parent = id"
broken "INSERT INTO root VALUES (99, 4711, 0, 0, 0, 0, 1, NULL)"
broken "UPDATE file SET mtime_nsec = 1000000000 WHERE name = 'file_with_a_name_1'"
# Bytes in the middle of a page.
cp "$TWINDEX_DB" "$T/broken.db"
size=$(stat -c %s "$T/broken.db")
at=8192
while [ $at -lt $size ]; do
	printf '\377\377\377\377\377\377\377\377\377\377\377\377' | dd of="$T/broken.db" bs=1 seek=$at conv=notrunc 2>/dev/null
	at=$((at + 4096))
done
for command in check ls report info 'file file_with_a_name_1' scan; do
	# shellcheck disable=SC2086
	run 5 -d "$T/broken.db" $command
	err_has 'damaged'
done
