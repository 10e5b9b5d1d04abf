# SPDX-License-Identifier: MIT
# twindex-fleet --help and its manual name the same options and queries, and the manual each column of each answer; it runs from where make install
# puts it, prints tables and lists, and the line for Spark.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/fleet.sh"

manual=$srcdir/man/twindex-fleet.1
# As make installs them.
mkdir -p bin share
sed "s|@fleetdir[@]|$T/work/share|" "$srcdir/sql/fleet/twindex-fleet" >bin/twindex-fleet
cp -R "$T/program/." share
"$PYTHON" -SB bin/twindex-fleet --help >"$T/out" || fail "--help exits with $?"
grep -o '^ *--[a-z-]*' "$T/out" | tr -d ' ' | sort >"$T/options"
sed -n 's/^\.It Fl -\([a-z-]*\).*/--\1/p' "$manual" | sort | diff "$T/options" - || fail 'the manual has other options'
for f in "$srcdir"/sql/fleet/*.sql; do
	query=$(basename "$f" .sql)
	out_has "  $query "
	grep -qx "\.It Ic $query" "$manual" || fail "the manual lacks the query $query"
done

model make 5 all csv
group_of 0
for f in "$srcdir"/sql/fleet/*.sql; do
	in_turn || continue
	query=$(basename "$f" .sql)
	forked "$T/out" "$T/err" bin/twindex-fleet all "$query" --engine sqlite --hash-id="$group" --format csv
	[ "$got" -eq 0 ] || fail "$query exits with $got: $(cat "$T/err")"
	sed -n "/^\.It Ic $query\$/,/^\.It Ic\|^\.El/p" "$manual" >"$T/described"
	for column in $(head -n 1 "$T/out" | tr ',' ' '); do
		grep -q "^\.Va.* $column\b" "$T/described" || fail "the manual lacks the column $column of $query"
	done
done

# A table has a line of titles, a list has none.
"$PYTHON" -SB bin/twindex-fleet all waste --engine sqlite --hash-id="$group" >"$T/out"
out_line 'host  *index_id  *hash_id  *contents .*'
out_line "h00  *-*[0-9]*  *$group  .*"
forked "$T/out" "$T/err" bin/twindex-fleet all sizes_elsewhere --engine sqlite --hash-id="$group"
out_line 70000
! grep -v '^[0-9]*$' "$T/out" || fail 'a list has more than its values'

forked "$T/out" "$T/err" bin/twindex-fleet 'all it' waste --spark --min-size 1K --hash-id=-5
out <<END
spark-submit $T/work/share/spark.py '$T/work/all it' waste --format table --hash-id=-5 --min-size=1024
END
