# SPDX-License-Identifier: MIT
# sql reads the public views, in four formats, from the operands or standard input.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
printf 'same' >a
printf 'same' >b
printf 'lo' >'c"d'
scan .
run 0 sql 'SELECT name, size FROM file_view ORDER BY name'
printf 'name\tsize\na\t4\nb\t4\nc"d\t2\n' | out || exit
run 0 sql --no-header --format csv 'SELECT name, size FROM file_view ORDER BY name DESC LIMIT 1'
printf '"c""d",2\r\n' | out || exit
run 0 sql --format json 'SELECT name, size, NULL AS n FROM file_view ORDER BY name'
"$PYTHON" -S -c 'import json, sys; d = json.load(open(sys.argv[1])); assert [r["name"] for r in d] == ["a", "b", "c\"d"] and d[0] == {"name": "a", "size": 4, "n": None}, d' "$T/out" || fail 'JSON'
run 0 sql --format ndjson 'SELECT copies, redundant FROM set_view'
out <<'END'
{"copies":2,"redundant":4}
END
run 0 sql --format json 'SELECT 1 WHERE 0'
out <<'END'
[]
END
# What is beyond a double is still a number of JSON.
run 0 sql --format ndjson 'SELECT 9e999 AS a, -9e999 AS b, 1.5 AS c'
out <<'END'
{"a":9e999,"b":-9e999,"c":1.5}
END
run 0 sql --no-header 'SELECT 9e999, -9e999, 1.5'
printf 'Inf\t-Inf\t1.5\n' | out || exit
echo 'SELECT count(*) AS n FROM dup_view' | "$TWINDEX" sql >"$T/out" || fail 'standard input'
printf 'n\n2\n' | out || exit
run 0 mark keep a
mkdir .cache
printf 'same' >.cache/a
printf 'more' >'c"d'
scan .
for view in file_view dup_view set_view dir_view fleeting_view root_view scan_view volume_view mark_view before_view; do
	run 0 sql "SELECT * FROM $view"
	[ "$(wc -l <"$T/out")" -gt 1 ] || fail "$view has no rows"
done

[ -n "$SQLITE3" ] || exit 0
# Every table of the index is private: views alone show it.
for table in $("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"); do
	run 2 sql "SELECT * FROM $table"
	err_has 'only SELECT on the public views is allowed'
	tables=$((${tables:-0} + 1))
done
[ "${tables:-0}" -gt 10 ] || fail "there are ${tables:-no} tables"
run 0 sql 'WITH n (name) AS (SELECT name FROM file_view) SELECT n.name FROM n JOIN (SELECT 1)'
run 0 sql "SELECT name FROM sqlite_schema WHERE type = 'view'"
