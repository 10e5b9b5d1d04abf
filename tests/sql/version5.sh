# SPDX-License-Identifier: MIT
# An index of version 5, which v1.sql to v5.sql hold, answers as it always did.
# The first command that writes makes it one of the present version: all views and answers stay.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
[ ! -e /nonexistent ] || skip 'there is a /nonexistent'
load()
{
	cat "$srcdir/tests/sql/v1.sql" "$srcdir/tests/sql/v2.sql" "$srcdir/tests/sql/v3.sql" "$srcdir/tests/sql/v4.sql" "$@" |
		"$SQLITE3" -batch -bail "$TWINDEX_DB" >/dev/null || fail 'the dump cannot be loaded'
}
file_rows()
{
	"$SQLITE3" -batch -bail -readonly "$TWINDEX_DB" 'SELECT quote(name_raw), * FROM file_view ORDER BY dir_id, name' || fail 'the rows cannot be read'
}
load
file_rows >"$T/before"
[ "$(wc -l <"$T/before")" -gt 15 ] || fail 'v1.sql has few rows'
rm "$TWINDEX_DB"
load "$srcdir/tests/sql/v5.sql"
run 0 info
out_line 'format      version 5, xxh3-128'
run 0 check
file_rows | diff -u "$T/before" - || fail 'v5.sql has other rows than v4.sql'

# Its history, and what commands say of it.
history()
{
	"$SQLITE3" -batch -bail -readonly "$TWINDEX_DB" "SELECT * FROM before_view ORDER BY scan_id, dir_id, name" || fail 'before_view cannot be read'
	for command in 'sql SELECT * FROM before_view ORDER BY scan_id, dir_id, name' 'diff 3' 'diff --json 3'; do
		# shellcheck disable=SC2086 # words
		"$TWINDEX" $command 2>&1
		echo "$command: $?"
	done
}
history >"$T/before"
grep -q '^changed .*/a  (+1 B)$' "$T/before" || fail "the history is not read: $(cat "$T/before")"
run 1 mark redo
run 0 info
out_line 'format      version 6, xxh3-128'
run 0 check
history | diff -u "$T/before" - || fail 'the upgrade has changed answers'
schema_is_new 'a new index has another schema than an upgraded one'
