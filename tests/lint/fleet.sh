# SPDX-License-Identifier: MIT
# Hashes of two secrets never meet in sql/fleet: every JOIN, GROUP BY and PARTITION BY has hash_id.  And each text says
# how answers from buckets combine, and sorts all that it gives.

cd "$srcdir/sql/fleet" || exit 1
failed=0
for file in *.sql; do
	# The text in one line, without comments; then a line for each ON, GROUP BY and PARTITION BY, to its end.
	text=$(sed 's/--.*//' "$file" | tr -s ' \t\n' ' ')
	joins=$(printf '%s\n' "$text" | grep -o ' JOIN ' | wc -l)
	keyed=$(printf '%s\n' "$text" | grep -oE ' JOIN [a-z_]+( [a-z_]+)? ON [a-z_]+\.hash_id = [a-z_]+\.hash_id( |$)' | wc -l)
	[ "$joins" -eq "$keyed" ] || { echo "$file: $keyed of $joins joins begin with hash_id"; failed=1; }
	for clause in 'GROUP BY' 'PARTITION BY'; do
		all=$(printf '%s\n' "$text" | grep -o "$clause " | wc -l)
		keyed=$(printf '%s\n' "$text" | grep -oE "$clause ([a-z_]+\.)?hash_id[,; )]" | wc -l)
		[ "$all" -eq "$keyed" ] || { echo "$file: $keyed of $all $clause begin with hash_id"; failed=1; }
	done
	# Tables side by side would be a join without ON; what groups nothing could mix secrets.
	! printf '%s\n' "$text" | grep -oE 'FROM [a-z_]+( [a-z_]+)?,' || { echo "$file: a join without ON"; failed=1; }
	! printf '%s\n' "$text" | grep -oE ' (USING|NATURAL|CROSS|IN|EXISTS|INTERSECT|EXCEPT)[ (]' || { echo "$file: a meeting of rows that this lint can't judge"; failed=1; }
	[ "$(grep -c '^-- combine: ' "$file")" -eq 1 ] || { echo "$file: not one line '-- combine:'"; failed=1; }
	tail -n 1 "$file" | grep -q '^ORDER BY .*;$' || { echo "$file: does not end with a line ORDER BY"; failed=1; }
done
[ "$(printf '%s\n' *.sql | wc -l)" -ge 8 ] || { echo "no queries found"; failed=1; }
exit $failed
