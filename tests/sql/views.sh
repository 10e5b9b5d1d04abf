# SPDX-License-Identifier: MIT
# The public views can be read by other programs, read-only, whatever the names
# are: every text decodes.

[ -n "$SQLITE3" ] || { echo "no sqlite3"; exit 77; }

T=$(mktemp -d) || exit 99
trap 'rm -rf "$T"' EXIT

mkdir "$T/tree"
cd "$T/tree" || exit 99
for name in '\377' 'caf\303\251' 'a\nb' '\033[31m' '\303(' '\355\240\200' ' lead' "it's" '"q"' '\\xff' '-rf' '\\'; do
	# shellcheck disable=SC2059 # the names are formats
	dir=$(printf "d$name.")
	mkdir -- "$dir" 2>/dev/null || continue
	# shellcheck disable=SC2059
	printf same >"$dir/$(printf "f$name.")"
done
mkdir .cache
printf same >.cache/f.
[ -e 'dcafé.' ] || { echo "no such names here"; exit 77; }
n=$(find . -type f -print0 | tr -cd '\0' | wc -c)
"$TWINDEX" --db "$T/index.db" scan -q "$T/tree" || exit 1
"$TWINDEX" --db "$T/index.db" mark keep -q "$T/tree" || exit 1
cd / || exit 99

failed=0
views='file_view dup_view set_view dir_view fleeting_view root_view scan_view volume_view mark_view'
for view in $views; do
	rows=$("$SQLITE3" -readonly "$T/index.db" "SELECT count(*) FROM (SELECT * FROM $view)") || failed=1
	case $view in
	file_view | dup_view | mark_view) want=$n ;;
	dir_view) want=$((n + 1)) ;;
	fleeting_view)
		# Besides, the place of the test may be in memory, or a temporary one.
		rows=$("$SQLITE3" -readonly "$T/index.db" "SELECT count(*) FROM fleeting_view WHERE why = 'cache'") || failed=1
		want=1
		;;
	*) want=1 ;;
	esac
	[ "$rows" = "$want" ] || { echo "$view has '$rows' rows instead of $want"; failed=1; }
done

[ -n "$PYTHON" ] || exit $failed
# text_factory stays: a text that is not UTF-8 raises an error.
"$PYTHON" -S - "$T/index.db" "$T/tree" $views <<'END_PYTHON' || failed=1
import os
import sqlite3
import sys

db = sqlite3.connect('file:%s?mode=ro' % sys.argv[1], uri=True)
for view in sys.argv[3:]:
    rows = db.execute('SELECT * FROM ' + view).fetchall()
    assert rows, view
    for row in rows:
        for value in row:
            assert not isinstance(value, str) or '\0' not in value, (view, row)
# A path is the bytes on disk, but for bytes that are not UTF-8: \xHH.
wanted = set()
for d, _, names in os.walk(os.fsencode(sys.argv[2])):
    wanted |= {os.path.join(d, n) for n in names}
rows = db.execute('SELECT path, name, name_raw FROM file_view').fetchall()
assert len(rows) == len({(r[1], r[2]) for r in rows}) == len(wanted)
for path, name, raw in rows:
    assert path.startswith(os.path.realpath(sys.argv[2]) + '/')
    assert (raw is None) == ('/' not in name), (name, raw)
assert {r[2] or r[1].encode() for r in rows} == {os.path.basename(p) for p in wanted}
marks = db.execute('SELECT path, path_raw FROM mark_view').fetchall()
assert {r[0] for r in marks} == {r[0] for r in rows}
assert {r[1] or r[0].encode() for r in marks} == {os.path.realpath(sys.argv[2]).encode() + p[len(os.fsencode(sys.argv[2])):] for p in wanted}
assert {p for p in wanted if p.decode(errors='replace').encode() == p} == {
    r[0].encode() for r in rows if r[0].encode() in wanted}
END_PYTHON
exit $failed
