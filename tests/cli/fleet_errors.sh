# SPDX-License-Identifier: MIT
# twindex-fleet gives no answer, and says why, where an export is there twice, where hosts can't be told apart, where
# hashes are of different secrets, and without an engine; it names what it leaves out.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/fleet.sh"

hosts h01 h02 h03

fresh
fleet 0 fleet waste
cp "$T/out" "$T/waste"

# Nothing there.
fleet 2 nowhere waste
err_has 'nowhere: No such file or directory'
mkdir empty
fleet 2 empty waste
err_has 'empty: no export there: twindex export --out empty'
fleet 2 fleet wast
err_has "no query 'wast': there are at_risk, elsewhere_dirs"
fleet 2 fleet ../fleet/waste
err_has "no query '../fleet/waste'"

# A directory without manifest is named, and makes the answer partial; what begins with a dot is not an export yet.
mkdir fleet/h09-7 fleet/.h08-7.tmp-12
echo notes >fleet/README
fleet 3 fleet waste
cmp "$T/out" "$T/waste" || fail 'another answer'
err_has 'fleet/h09-7: ignored, it has no manifest.json'
err_lacks README
err_lacks h08

# A scan that was not finished.
fresh
edit fleet/h02-7/manifest.json '"finished_scan": true' '"finished_scan": false'
fleet 3 fleet waste
err_has 'fleet/h02-7: its scan was not finished'
# An older one is asked by growth alone.
fresh
edit fleet/h02-3/manifest.json '"finished_scan": true' '"finished_scan": false'
fleet 0 fleet waste
fleet 3 fleet growth

# Files that scans leave out are in no index: a host whose every file is elsewhere may have others.
fresh
edit fleet/h02-7/manifest.json '"left_out": false' '"left_out": true'
fleet 0 fleet waste
for query in elsewhere_hosts elsewhere_dirs; do
	fleet 3 fleet $query
	err_has 'fleet/h02-7: scans leave out files of h02, or could not read a directory'
done

# Two machines of one name; one index under two names; one generation twice.
if in_turn; then
	fresh
	edit fleet/h02-7/manifest.json '"host": "h02"' '"host": "h01"'
	fleet 2 fleet waste
	err_has 'two indexes have the host name h01: fleet/h01-1, fleet/h01-3, fleet/h01-7, fleet/h02-7: export one with --host NAME'
fi
if in_turn; then
	fresh
	edit fleet/h02-7/manifest.json '"host": "h02"' '"host": "h04"'
	fleet 2 fleet waste
	err_has 'one index has two host names: fleet/h02-3, fleet/h02-7'
fi
if in_turn; then
	fresh
	cp -R fleet/h02-7 fleet/copy
	fleet 2 fleet waste
	err_has 'one generation is there twice: fleet/copy, fleet/h02-7: move one away'
fi

# Two secrets: which hosts have which, and one of them.
fresh
model make 4 fleet ndjson h21 h22
fleet 2 fleet waste
group_of 0
one=$group
err_has "$one: h01, h02, h03"
group_of 1
err_has "$group: h21, h22"
fleet 0 fleet waste --hash-id="$one"
cmp "$T/out" "$T/waste" || fail 'the other group changes the answer'
fleet 2 fleet waste --hash-id=5
err_has 'no host has the hash_id 5'

# The newest lacks what is asked.
fresh
edit fleet/h02-7/manifest.json '"keys":' '"other":'
fleet 2 fleet waste
err_has 'fleet/h02-7: is the newest export of h02, and has no keys: twindex export --what keys'
fleet 0 fleet sizes_elsewhere

# Manifests.
for text in '' '[]' '{"host": "h02"' '{"host": "h02", "index_id": true}'; do
	in_turn || continue
	fresh
	printf '%s' "$text" >fleet/h02-7/manifest.json
	fleet 5 fleet waste
	err_has 'fleet/h02-7/manifest.json: '
done
fresh
edit fleet/h02-7/manifest.json '"format": "ndjson"' '"format": "orc"'
fleet 5 fleet waste
err_has "fleet/h02-7/manifest.json: format 'orc' is none of parquet, ndjson, csv"

# Engines.
fresh
edit fleet/h02-7/manifest.json '"format": "ndjson"' '"format": "parquet"'
for f in $(find fleet/h02-7 -name '*.ndjson'); do
	mv "$f" "${f%.ndjson}.parquet"
done
fleet 2 fleet waste
err_has 'fleet/h02-7: SQLite reads no Parquet: pip install duckdb, or export it with --format ndjson'
mkdir "$T/none"
echo 'raise ImportError("none")' >"$T/none/duckdb.py"
PYTHONPATH=$T/none "$PYTHON" -SB "$srcdir/sql/fleet/twindex-fleet" whole waste >"$T/out" 2>"$T/err"
[ $? -eq 6 ] && [ ! -s "$T/out" ] || fail 'an answer without DuckDB'
err_has 'pip install duckdb'

# Output that can't be written, and one that nobody reads to its end.
if [ -w /dev/full ]; then
	"$PYTHON" -SB "$srcdir/sql/fleet/twindex-fleet" whole sets --engine sqlite >/dev/full 2>"$T/err"
	[ $? -eq 6 ] || fail 'a full disk is no error'
	err_has 'No space left on device'
fi
