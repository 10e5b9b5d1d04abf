# SPDX-License-Identifier: MIT
# What tests of twindex mcp say and ask, after lib.sh: . "$srcdir/tests/cli/mcp_calls.sh"

# call ID TOOL ARGUMENTS: such a line.
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" "$3"; }
# is FILTER...: whether each of them holds for all answers, as a list.  One jq is asked for all: it takes 30 ms to start.
is() {
	all=true
	for filter; do all="$all and ($filter)"; done
	jq -se "$all" "$T/out" >/dev/null && return
	for filter; do jq -se "$filter" "$T/out" >/dev/null || fail "not so: $filter
$(cat "$T/out")"; done
	fail "an answer is no JSON"
}
