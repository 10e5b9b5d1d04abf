# SPDX-License-Identifier: MIT
# sql refuses private tables, writing, other files and settings; the index stays as it was.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
scan .
cp "$TWINDEX_DB" "$T/before"
while IFS= read -r query; do
	got=0
	"$TWINDEX" sql "$query" >"$T/out" 2>"$T/err" || got=$?
	[ $got -ne 0 ] && [ $got -lt 128 ] || fail "exit status $got: $query"
	[ -s "$T/err" ] || fail "no word about: $query"
done <<'END'
SELECT * FROM file
SELECT value FROM meta
SELECT * FROM mark
SELECT * FROM mark_log
DELETE FROM file_view
INSERT INTO file (dir) VALUES (1)
DROP VIEW file_view
CREATE TABLE x (y)
CREATE TEMP TABLE x (y)
ATTACH '/tmp/twindex-test-attached' AS other
PRAGMA user_version = 99
PRAGMA writable_schema = 1
VACUUM INTO '/tmp/twindex-test-attached'
BEGIN IMMEDIATE
SELECT load_extension('x')
SELECT * FROM nothing
SELEC 1
SELECT 1; DELETE FROM file
END
[ ! -e /tmp/twindex-test-attached ] || fail 'a file was made'
cmp -s "$T/before" "$TWINDEX_DB" || fail 'the index has changed'
run 0 check
