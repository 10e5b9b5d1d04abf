# SPDX-License-Identifier: MIT
# pyarrow and DuckDB, where they are installed, read the files of export as NDJSON has them.
. "$srcdir/tests/cli/lib.sh"

python_with pyarrow duckdb

mkdir -p d/sub empty
for i in 1 2 3; do echo "content $i" | tee d/a$i >d/sub/b$i; done
printf 'content of one alone' >d/alone
: >d/empty
echo odd >"$(printf 'd/n\377\n"\\,')"
echo odd >"$(printf 'd/sub/\303\251')"
scan d
for format in parquet ndjson; do
	mkdir -p x/$format
	run 0 export --host h --out x/$format --format $format -w keys -w files -w sizes -w dirs
done
"$python" -B "$srcdir/tests/cli/export_engines.py" x keys files sizes dirs >"$T/said" 2>&1 || fail "$(cat "$T/said")"
# Of an index without files there are no rows.
run 0 --db "$T/none.db" scan -q empty
run 0 --db "$T/none.db" export --host none --out x/none -w keys -w files -w sizes
