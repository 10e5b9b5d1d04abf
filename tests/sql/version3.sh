# SPDX-License-Identifier: MIT
# An index of version 3, which v1.sql, v2.sql and v3.sql hold, answers as it always did.
# The first command that writes makes it one of the present version.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
[ ! -e /nonexistent ] || skip 'there is a /nonexistent'
cat "$srcdir/tests/sql/v1.sql" "$srcdir/tests/sql/v2.sql" "$srcdir/tests/sql/v3.sql" |
	"$SQLITE3" -batch -bail "$TWINDEX_DB" >/dev/null || fail 'the dump cannot be loaded'

run 0 info
out_line 'format      version 3, xxh3-128'
run 0 check
rows "SELECT size, hash, copies, count(*), min(path), redundant FROM dup_view GROUP BY size, hash ORDER BY size"
out <<'END'
13	5056248d2ed7a824b0efb903b25630a2	4	5	/nonexistent/v1/b\xffck/new
line/copy	39
300000	901015dbb613680727d012f023b83f90	2	2	/nonexistent/v1/b\xffck/new
line/zero2	300000
END
run 0 report --no-check --format fdupes --min-size 1k
printf '%b\n' '/nonexistent/v1/b\0377ck/new\nline/zero2' '/nonexistent/v1/b\0377ck/zero1' '' >"$T/expect"
out <"$T/expect"

# What a command that writes leaves alone, it keeps; it has no history of what was before.
index_rows()
{
	"$SQLITE3" -batch -bail -readonly "$TWINDEX_DB" 'SELECT id, key, type FROM volume ORDER BY id; SELECT quote(name_raw), * FROM file_view ORDER BY dir_id, name; SELECT * FROM dir ORDER BY id;
		SELECT * FROM root ORDER BY id; SELECT * FROM scan ORDER BY id; SELECT * FROM mark ORDER BY path' || fail 'the index cannot be read'
}
index_rows >"$T/before"
run 1 mark redo
run 0 info
out_line 'format      version 6, xxh3-128'
run 0 check
index_rows >"$T/after"
cmp "$T/before" "$T/after" || fail 'the upgrade has changed rows'
rows 'SELECT *, 0 FROM volume_view ORDER BY volume_id'
out <<'END'
1	ext4:0011223344556677	ext4						0
2	tmpfs:tmpfs /nonexistent/v1	tmpfs						0
END
[ "$("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT value FROM meta WHERE key = 'history_from'")" = 4 ] || fail 'it says that it has a history'

# The schema is that of a new index.
schema_is_new 'a new index has another schema than an upgraded one'
