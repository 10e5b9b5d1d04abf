# SPDX-License-Identifier: MIT
# Of a Parquet file that is damaged, truncated or foreign twindex-fleet tells the name, and prints nothing as an answer.
. "$srcdir/tests/cli/lib.sh"

python_with duckdb
python_forks "$python" argparse csv duckdb json random shlex shutil sqlite3 tempfile
forked "$T/out" "$T/err" "$srcdir/tests/cli/fleet.py" make 4 whole parquet h00 h04
[ "$got" -eq 0 ] || fail "no fleet: $(cat "$T/err")"
file=$(find whole/h04-7/kind=keys -name '*.parquet' | sort | head -n 1)

cat >"$T/damage.py" <<'EOP'
import duckdb, json, os, shutil, sys

def damage(how, directory, file):
    with open(file, "rb") as f:
        data = f.read()
    size = len(data)
    if how == "short":
        data = data[:size // 2]
    elif how == "zero":
        data = bytes(size)
    elif how == "page":
        data = data[:4] + bytes(b ^ 0xff for b in data[4:120]) + data[120:]
    elif how == "foreign":
        duckdb.execute(f"COPY (SELECT 1 AS a, 'x' AS size) TO '{file}' (FORMAT parquet)")
    elif how == "type":
        duckdb.execute(f"COPY (SELECT * REPLACE (CAST(size AS VARCHAR) AS size) FROM '{file}') TO '{file}.new' (FORMAT parquet)")
    elif how == "other":
        duckdb.execute(f"COPY (SELECT * REPLACE (index_id + 1 AS index_id) FROM '{file}') TO '{file}.new' (FORMAT parquet)")
    elif how == "bucket":
        duckdb.execute(f"COPY (SELECT * REPLACE (xor(hash_hi, 1::BIGINT << 60) AS hash_hi) FROM '{file}') TO '{file}.new' (FORMAT parquet)")
    elif how == "rows":
        duckdb.execute(f"COPY (SELECT * FROM '{file}' UNION ALL SELECT * FROM '{file}') TO '{file}.new' (FORMAT parquet)")
    if how in ("short", "zero", "page"):
        with open(file, "wb") as f:
            f.write(data)
    elif os.path.exists(file + ".new"):
        os.replace(file + ".new", file)
    # As if the copy were whole: what can be seen in the file alone.
    manifest = os.path.join(directory, "manifest.json")
    told = json.load(open(manifest))
    told["kinds"]["keys"]["bytes"] += os.path.getsize(file) - size
    json.dump(told, open(manifest, "w"))

# HOW/fleet of whole, for each.
duckdb.execute("SET threads = 1")
for how in sys.argv[2:]:
    shutil.copytree("whole", how + "/fleet")
    damage(how, how + "/fleet/h04-7", f"{how}/fleet/{sys.argv[1]}")
EOP
forked "$T/out" "$T/err" "$T/damage.py" "${file#whole/}" short bucket ${EVERY_KIND:+page type rows zero foreign other}
[ "$got" -eq 0 ] || fail "not damaged: $(cat "$T/err")"

# damaged HOW TEXT...: what is said of the file.
damaged()
{
	ran=$1
	cd "$1" && forked "$T/out" "$T/err" "$srcdir/sql/fleet/twindex-fleet" fleet waste --threads 1
	cd ..
	[ $got -eq 5 ] && [ ! -s "$T/out" ] || { show_run; fail "$1: exit status $got"; }
	shift
	for text; do
		err_has "$text"
	done
}

if [ -n "${EVERY_KIND:-}" ]; then
	damaged page "fleet/${file#whole/}: "
	damaged type "fleet/${file#whole/}: no Parquet of twindex: column size is missing, or no BIGINT"
	damaged rows 'fleet/h04-7: has ' ' rows of keys, but its manifest.json counts '
	damaged zero "fleet/${file#whole/}: damaged, or no parquet of twindex"
	damaged foreign "fleet/${file#whole/}: no Parquet of twindex: column hash_hi is missing"
	damaged other "fleet/${file#whole/}: has another index_id than the manifest.json of its directory"
fi
damaged short "fleet/${file#whole/}: damaged, or no parquet of twindex"
damaged bucket "fleet/${file#whole/}: has hashes of another bucket"
