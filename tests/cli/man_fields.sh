# SPDX-License-Identifier: MIT
# twindex-formats(5) names each field that records of listings have in JSON.
. "$srcdir/tests/cli/lib.sh"

run 0 help --schema
# Definitions of records are lines; of totals by class the manual names no class.
sed -n 's/^		"\([a-z_]*\)": {"type":"object","properties":\(.*\)},$/\1 \2/p' "$T/out" | grep -v '^\(pair\|change\)_totals ' | while read -r record fields; do
	printf '%s\n' "$fields" | grep -o '"[a-z_0-9]*":[{]"[$a-z]' | sed 's/^"//; s/".*//' | grep -vx 'properties\|items' | sort -u |
		sed "s/^/$record: /"
done >"$T/fields"
# Named are the words behind Va, and the parts of lines of columns.
$AWK 'FNR == NR {
		if (/^\.(It )?Va /) for (i = 2; i <= NF; i++) named[$i]
		n = split($0, column, ",")
		for (i = 1; i <= n; i++) named[column[i]]
		next
	}
	!($2 in named) && $2 !~ /_b64$/' "$srcdir/man/twindex-formats.5" "$T/fields" >"$T/lacking"
[ "$(wc -l <"$T/fields")" -ge 100 ] || fail 'records have few fields'
[ "$(grep -c '^		"[a-z_]*": {"type":"object","properties":' "$T/out")" -ge 17 ] || fail 'records are not defined in lines'
[ ! -s "$T/lacking" ] || fail "twindex-formats(5) does not name: $(tr '\n' ' ' <"$T/lacking")"
