# SPDX-License-Identifier: MIT
# What tests of twindex mcp say and ask, after lib.sh: . "$srcdir/tests/cli/mcp_calls.sh"

# call ID TOOL ARGUMENTS: such a line.
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" "$3"; }
# is FILTER...: whether each of them holds for all answers, as a list.  One jq is asked for all of a test, at its end: it takes
# 25 ms to start.
is() {
	asked=$((asked + 1))
	cp "$T/out" "$T/answers.$asked" || fail 'no copy of the answers'
	answers="$answers --slurpfile a$asked $T/answers.$asked"
	for filter; do
		judgements="$judgements, [$asked, (\$a$asked | $filter)]"
		printf '%s: %s\n' $asked "$filter" >>"$T/filters"
	done
}
asked=0 answers='' judgements=''

judge() {
	# shellcheck disable=SC2086
	[ $asked -eq 0 ] || [ -e "$T/failed" ] || {
		jq -nc $answers "[${judgements#, }] | map(select(length < 2 or (.[1:] | all | not)) | .[0]) | unique[]" >"$T/wrong" 2>&1 && [ ! -s "$T/wrong" ] ||
			fail "not so, of these questions in their order:
$(cat "$T/filters" "$T/wrong")
$(while read -r n; do cat "$T/answers.$n"; done <"$T/wrong")"
	}
}
trap '(judge); cleanup' EXIT
