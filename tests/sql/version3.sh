# SPDX-License-Identifier: MIT
# An index of version 3, which v1.sql, v2.sql and v3.sql hold, answers as it always did,
# and its schema is that of a new index: another schema needs another version.
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

# The schema is that of a new index.
schema_is_new 'a new index has another schema than v3.sql: it needs another user_version'
