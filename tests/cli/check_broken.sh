# SPDX-License-Identifier: MIT
# check finds claims without proof (1) and a damaged file (5), changes nothing, and says what helps.
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
# broken SQL HELP: what is advised is 'rehash', which mends it, or 'new', where that doesn't.
broken()
{
	cp "$TWINDEX_DB" "$T/broken.db"
	"$SQLITE3" "$T/broken.db" "$1" || fail 'sqlite3'
	run 1 -d "$T/broken.db" check
	out_has 'broken: '
	out_has 'invariant'
	case ${2-} in
	rehash)
		out_has "scan --rehash'"
		run 0 -q -d "$T/broken.db" scan --rehash
		run 0 -d "$T/broken.db" check
		;;
	new)
		out_has 'scan into a new index'
		out_lacks 'rehash'
		"$TWINDEX" -q -d "$T/broken.db" scan --rehash 2>/dev/null || :
		run 1 -d "$T/broken.db" check
		;;
	esac
}
broken "UPDATE file SET hash = NULL WHERE name = 'file_with_a_name_1'" rehash
broken "UPDATE file SET dir = 4711 WHERE name = 'file_with_a_name_1'" new
broken "UPDATE file SET name = 'a/b' WHERE name = 'file_with_a_name_1'" new
broken "UPDATE file SET name = '..' WHERE name = 'file_with_a_name_1'" new
broken "UPDATE file SET error = 5 WHERE name = 'file_with_a_name_1'" rehash
broken "UPDATE dir SET parent = id" new
broken "INSERT INTO root VALUES (99, 4711, 0, 0, 0, 0, 1, NULL)" new
broken "UPDATE file SET own_mtime_nsec = 1000000000 WHERE name = 'file_with_a_name_1'"
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
# A broken row is told with its table, what is wrong, and where it is.
cp "$TWINDEX_DB" "$T/broken.db"
"$SQLITE3" "$T/broken.db" "UPDATE file SET name = '..' WHERE name = 'file_with_a_name_1'" || fail 'sqlite3'
run 1 -d "$T/broken.db" check
out_has "broken: file: the name is not a file name: directory "
out_has ", '..', size 6"
