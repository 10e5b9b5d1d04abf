# SPDX-License-Identifier: MIT
# twindex-fleet answers as a plain computation over the files of made-up hosts, from exports as ndjson and csv, by SQLite
# alone; and so does each query's text, unchanged, over the exports of two secrets at once: equal hashes of the two
# are never one content.  SEED=17 for another fleet, SEEDS=100 FIRST=1000 for ten more.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/fleet.sh"

group_of 0
one=$group
group_of 1
other=$group

# ask DIR GROUP MIN_SIZE QUERY...
ask()
{
	dir=$1 of=$2 least=$3 id=$one
	[ "$of" = 0 ] || id=$other
	shift 3
	for query; do
		in_turn || continue
		forked "answers/$query.$of.$least" "$T/err" "$T/program/twindex-fleet" "$dir" "$query" --engine sqlite --hash-id="$id" \
			--min-size "$least" --format json
		told=$got
		# A host that has read nothing whole has a generation without keys: that is told.
		[ "$told" = 0 ] || [ "$told $query" = '3 growth' ] || fail "seed $seed, $query of $dir: exit status $told: $(cat "$T/err")"
		! grep -v "has no keys, so growth can't tell of this generation" "$T/err" || fail "seed $seed, $query of $dir says $(cat "$T/err")"
		[ "$told" = 0 ] || [ -s "$T/err" ] || fail "seed $seed, $query of $dir: status $told without a word"
	done
}

seed=${SEED:-${FIRST:-1}}
# A fleet takes the time of ten trees.
end=$((seed + (${SEEDS:-1} + 9) / 10))
while [ "$seed" -lt $end ]; do
	rm -rf ndjson csv answers
	mkdir answers
	model make "$seed" ndjson ndjson
	model make "$seed" csv csv
	model sqlite "$seed" "$srcdir/sql/fleet"
	ask ndjson 0 0 at_risk elsewhere_dirs elsewhere_hosts growth only_here sets sizes_elsewhere waste
	# Of the other group, without small files, and as csv.
	ask csv 1 0 sets
	ask csv 0 4097 elsewhere_dirs elsewhere_hosts
	model compare "$seed" answers
	seed=$((seed + 1))
done
