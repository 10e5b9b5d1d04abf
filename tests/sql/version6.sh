# SPDX-License-Identifier: MIT
# An index of version 6, which v1.sql to v6.sql hold, answers as one of version 5, and its schema is
# that of a new index: another schema needs another version.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
[ ! -e /nonexistent ] || skip 'there is a /nonexistent'
load()
{
	cat "$srcdir/tests/sql/v1.sql" "$srcdir/tests/sql/v2.sql" "$srcdir/tests/sql/v3.sql" "$srcdir/tests/sql/v4.sql" \
		"$srcdir/tests/sql/v5.sql" "$@" | "$SQLITE3" -batch -bail "$TWINDEX_DB" >/dev/null || fail 'the dump cannot be loaded'
}
# The first entry of a run for a name counts.
history()
{
	"$SQLITE3" -batch -bail -readonly "$TWINDEX_DB" "SELECT * FROM before_view ORDER BY scan_id, dir_id, name" || fail 'before_view cannot be read'
	"$TWINDEX" diff 3 2>&1
	echo $?
}
load
history >"$T/before"
rm "$TWINDEX_DB"
load "$srcdir/tests/sql/v6.sql"
[ "$("$SQLITE3" -readonly "$TWINDEX_DB" 'SELECT count(*) FROM file_before')" = 5 ] || fail 'v6.sql has no second entries'
run 0 info
out_line 'format      version 6, xxh3-128'
run 0 check
history | diff -u "$T/before" - || fail 'v6.sql has another history than v5.sql'

# The schema is that of a new index.
run 1 mark redo
schema_is_new 'a new index has another schema than v6.sql: it needs another user_version'
