# SPDX-License-Identifier: MIT
# twindex-fleet answers by DuckDB as a plain computation over the files of made-up hosts, bucket by bucket, from Parquet and
# where some hosts exported text.  EVERY_KIND=1 for all queries, and of Parquet alone; SEED=17 for another fleet.
. "$srcdir/tests/cli/lib.sh"

python_with duckdb
model=$srcdir/tests/cli/fleet.py
seed=${SEED:-2}
one=$("$python" -S "$model" group 0) other=$("$python" -S "$model" group 1)

# A path that DuckDB would take for a pattern, or for the end of a word.
mixed="it's [a]*?"
mkdir answers
"$python" "$model" make "$seed" "$mixed" mixed || fail 'no fleet'

# ask DIR GROUP MIN_SIZE QUERY...
ask()
{
	dir=$1 group=$2 least=$3 id=$one
	[ "$group" = 0 ] || id=$other
	shift 3
	for query; do
		"$python" "$srcdir/sql/fleet/twindex-fleet" "$dir" "$query" --hash-id="$id" --min-size "$least" --memory 200MB --threads 1 \
			--format json >"answers/$query.$group.$least" 2>"$T/err" || fail "$query of $dir: exit status $?: $(cat "$T/err")"
		[ ! -s "$T/err" ] || fail "$query of $dir says $(cat "$T/err")"
	done
}

ask "$mixed" 1 0 sets
if [ -n "${EVERY_KIND:-}" ]; then
	ask "$mixed" 0 4097 elsewhere_hosts
	ask "$mixed" 0 0 elsewhere_dirs
	"$python" "$model" make "$seed" parquet parquet || fail 'no fleet'
	ask parquet 0 0 at_risk elsewhere_dirs elsewhere_hosts growth only_here sets sizes_elsewhere waste
	ask "$mixed" 1 512 growth waste
fi
"$python" -S "$model" compare "$seed" answers >"$T/out" || fail "$(cat "$T/out")"
