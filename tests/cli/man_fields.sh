# SPDX-License-Identifier: MIT
# twindex-formats(5) names each field that records of listings have in JSON.
. "$srcdir/tests/cli/lib.sh"

run 0 help --schema
# Definitions of records are lines; of totals by class the manual names no class.
sed -n 's/^		"\([a-z_]*\)": {"type":"object","properties":\(.*\)},$/\1 \2/p' "$T/out" | grep -v '^\(pair\|change\)_totals ' | while read -r record fields; do
	printf '%s\n' "$fields" | grep -o '"[a-z_0-9]*":[{]"[$a-z]' | sed 's/^"//; s/".*//' | grep -vx 'properties\|items' | sort -u |
		while read -r field; do
			case $field in
			*_b64) ;;
			*) grep -q -e "^\\.\\(It \\|\\)Va\\( .*\\|\\) $field\\( .*\\|\\)\$" -e "^\\(.*,\\|\\)$field\\(,.*\\|\\)\$" \
				"$srcdir/man/twindex-formats.5" || echo "$record: $field" ;;
			esac
		done
done >"$T/lacking"
[ "$(grep -c '^		"[a-z_]*": {"type":"object","properties":' "$T/out")" -ge 17 ] || fail 'records are not defined in lines'
[ ! -s "$T/lacking" ] || fail "twindex-formats(5) does not name: $(tr '\n' ' ' <"$T/lacking")"
