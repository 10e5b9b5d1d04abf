# SPDX-License-Identifier: MIT
# The line that twindex-fleet --spark prints asks Spark the same text, and Spark answers as a plain computation over the files
# of made-up hosts.  Only with EVERY_KIND=1, for Spark starts slowly.
. "$srcdir/tests/cli/lib.sh"

[ -n "${EVERY_KIND:-}" ] || skip 'only with EVERY_KIND=1'
python_with 'duckdb, pyspark'
command -v java >/dev/null || skip 'no java'
model=$srcdir/tests/cli/fleet.py
"$python" "$model" make 3 parquet parquet || fail 'no fleet'
group=$("$python" "$model" group 0)

# spark-submit of the package runs its own Python.
PATH=$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__) + "/bin")'):$PATH
PYSPARK_PYTHON=$(command -v "$python")
SPARK_LOCAL_DIRS=$T
export PYSPARK_PYTHON SPARK_LOCAL_DIRS
unset SPARK_HOME
mkdir answers
for query in ${QUERIES:-at_risk elsewhere_dirs elsewhere_hosts growth only_here sets sizes_elsewhere waste}; do
	line=$("$python" "$srcdir/sql/fleet/twindex-fleet" parquet "$query" --spark --hash-id="$group" --format json) || fail "--spark exits with $?"
	line="spark-submit --master local[2] --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2 ${line#spark-submit}"
	eval "$line" >"answers/$query.0.0" 2>"$T/err" || fail "$line: $(tail -n 30 "$T/err")"
done
"$python" "$model" compare 3 answers >"$T/out" || fail "$(cat "$T/out")"
