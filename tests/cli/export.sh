# SPDX-License-Identifier: MIT
# export: the rows of the index, in Parquet, NDJSON and CSV alike; whole, or not there.
. "$srcdir/tests/cli/lib.sh"
need "$PYTHON" zstd

python_forks "$PYTHON" -S csv glob json parquet
# The rows of a kind, after those of all three formats were compared.
rows_of()
{
	forked "$T/rows" "$T/why" "$srcdir/tests/cli/export_same.py" "$T/export" "$1"
	[ "$got" -eq 0 ] || fail "$1: $(cat "$T/rows" "$T/why")"
}

# export_all: the three formats, each in a directory of its own.
export_all()
{
	rm -rf "$T/export"
	mkdir "$T/export"
	for format in parquet ndjson csv; do
		run "$1" export --host nas-1 --out "$T/export/$format" --format $format -w keys,files -w sizes,dirs
	done
}

# An index without files.
mkdir empty
scan empty
export_all 0
rows_of keys
[ ! -s "$T/rows" ] || fail "keys of nothing: $(cat "$T/rows")"

# Copies on one disk, a link, one in a trash, an empty file, one that nobody read, names that are no text.
mkdir -p a/sub b .Trash-1/files
printf 'content' | tee a/one a/sub/two >b/three
cp a/one .Trash-1/files/four
ln b/three b/link
: >a/empty
printf 'alone and long' >a/alone
printf 'content' >"$(printf 'a/\377"\\\n,')"
scan .
export_all 0
for kind in keys files sizes dirs; do
	rows_of $kind
	cp "$T/rows" "$T/$kind"
done
part() { [ "$(cut -d, -f"$2" <"$T/$1")" = "$3" ] || fail "$1: $(cat "$T/$1")"; }
# Inodes, names, and inodes to rely on: none, for all of this lies in a temporary directory (copies_in_memory.sh has others).
part keys 3,5-7 '"size":7,"inodes":5,"names":6,"lasting":0'
part sizes 1-3 '{"size":7,"files":5,"unread":0
{"size":14,"files":1,"unread":1'
[ "$(wc -l <"$T/files")" -eq 8 ] || fail "files: $(cat "$T/files")"
grep -q '^{"hash_hi":null,"hash_lo":null,"size":14,.*"name":"alone","name_raw":null,' "$T/files" || fail 'what was not read has a hash'
# The bytes of a name where its text is another one.
grep -Fq "\"name_raw\":\"$(printf '\377"\\\n,' | base64)\"" "$T/files" || fail "no bytes: $(cat "$T/files")"
grep -q '"lasting":0,"dir":"[^"]*/.Trash-1/files","name":"four"' "$T/files" || fail 'what lies in a trash lasts'
grep -Fq "{\"dir\":\"$T/work/b\",\"parent\":\"$T/work\",\"files\":2,\"bytes\":7," "$T/dirs" || fail "dirs: $(cat "$T/dirs")"
# Rows are those of the public views.
rows "SELECT count(*) FROM file_view WHERE hash IS NOT NULL AND size > 0"
[ "$(grep -c '"hash_hi":-*[0-9]' "$T/files")" = "$(cat "$T/out")" ] || fail 'not all files'

# The manifest tells what there is; the name of the host can stand in file names.
manifest=$T/export/csv/nas_1-2/manifest.json
"$PYTHON" -SB - "$manifest" <<'END' || fail "$(cat "$manifest")"
import json, sys
m = json.load(open(sys.argv[1]))
assert (m['host'], m['generation'], m['format'], m['finished_scan'], m['left_out']) == ('nas_1', 2, 'csv', True, False), m
assert {k: (v['rows'], v['files']) for k, v in m['kinds'].items()} == {'keys': (1, 1), 'files': (8, 2), 'sizes': (2, 1), 'dirs': (7, 1)}, m
assert -2**63 <= m['hash_id'] < 2**63 and -2**63 <= m['index_id'] < 2**63
END

# One of the same generation is not replaced unasked.
run 2 export --host nas-1 --out "$T/export/csv" --format csv
err_has "'$T/export/csv/nas_1-2' is there already: --replace puts the new one in its place"
run 0 export --host nas-1 --out "$T/export/csv" --format csv --replace
[ ! -e "$T/export/csv/nas_1-2/kind=files" ] || fail 'the old one is there still'
[ "$(ls -A "$T/export/csv")" = 'nas_1-1
nas_1-2' ] || [ "$(ls -A "$T/export/csv")" = nas_1-2 ] || fail "left behind: $(ls -A "$T/export/csv")"

# A secret, and so hash_id, is the index's; index_id is another one for each index.
id() { sed -n "s/.*\"$1\":\(-*[0-9]*\).*/\1/p" "$2"/manifest.json; }
run 0 --db "$T/x.db" --secret-from "$TWINDEX_DB" scan -q a
run 0 --db "$T/x.db" export -q --host x --out "$T/export/ids"
out </dev/null
run 0 --db "$T/y.db" scan -q a
run 0 --db "$T/y.db" export --host y --out "$T/export/ids"
[ "$(id hash_id "$T/export/ids/x-1")" = "$(id hash_id "$T/export/csv/nas_1-2")" ] || fail 'one secret, two ids'
[ "$(id hash_id "$T/export/ids/y-1")" != "$(id hash_id "$T/export/csv/nas_1-2")" ] || fail 'two secrets, one id'
[ "$(id index_id "$T/export/ids/x-1")" != "$(id index_id "$T/export/csv/nas_1-2")" ] || fail 'two indexes, one id'

# What cannot be done is said, and leaves nothing.
run 2 export
err_has 'export needs --out DIR'
run 2 export --out x --what keys,nothing
err_has "option '--what': 'nothing' is not keys, files, sizes or dirs"
run 2 export --out x --host ...
err_has "'...' is not a name for a host"
[ ! -e x ] || fail 'a directory for nothing'
: >file
run 6 export --out file/x
err_has "cannot make the directory '$T/work/file/x'"

# What a killed one has left goes with the next; what a living one fills stays.
mkdir -p x/.nas_1-2.tmp-999999999/kind=keys x/.nas_1-2.tmp-$$ x/.other-2.tmp-999999999
run 0 export --host nas-1 --out x --json
out_has '{"kind":"keys","rows":1,"files":1,"bytes":'
[ "$(ls -A x)" = ".nas_1-2.tmp-$$
.other-2.tmp-999999999
nas_1-2" ] || fail "in x: $(ls -A x)"

# Files that options of a root leave out are in no row: the manifest says so.
n=0
for option in -q '--exclude *.key' --no-hidden '--min-size 2' '--max-size 9' -X; do
	set -f
	# shellcheck disable=SC2086 # words
	run 0 --db "$T/left$n.db" scan -q $option a
	set +f
	run 0 --db "$T/left$n.db" export --host left$n --out left
	n=$((n + 1))
done
[ "$(cat left/*/manifest.json | grep -c '"left_out":true')" -eq 5 ] || fail "left out: $(cat left/*/manifest.json)"
grep -q '"left_out":false' left/left0-1/manifest.json || fail 'nothing was left out'

# A scan that was cut off: exported, and said.
[ -n "$SQLITE3" ] || exit 0
"$SQLITE3" "$TWINDEX_DB" "INSERT OR REPLACE INTO meta VALUES ('pending', 1)" || exit
run 3 export --host nas-1 --out x --what files --replace
grep -q '"finished_scan":false' x/nas_1-2/manifest.json || fail 'a scan that did not finish passes for one'

# More rows than a group of a Parquet file has, and of one part: the public views have as many.
[ -n "${EVERY_KIND:-}" ] || exit 0
"$SQLITE3" "$TWINDEX_DB" "INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	SELECT 1, 'many ' || value, NULL, 100 + value, 8, 1, 1000000 + value, 1, value, 0, value, 0, NULL,
	CASE WHEN value % 3 > 0 THEN CAST(x'11' || randomblob(15) AS BLOB) END, 0, NULL, NULL FROM generate_series(1, 140000)" || exit
rows 'SELECT count(DISTINCT size) FROM file_view WHERE size > 0'
cp "$T/out" "$T/n"
rm -rf "$T/export"
mkdir "$T/export"
for format in parquet ndjson csv; do
	run 3 export --host nas-1 --out "$T/export/$format" --format $format -w keys -w sizes
done
rows_of keys
rows_of sizes
[ "$(wc -l <"$T/rows")" = "$(cat "$T/n")" ] || fail 'not all rows'
