# SPDX-License-Identifier: MIT
# twindex mcp answers lines: each request once and in order, notifications never, and what is no request with an error.
# Arguments can't become options, answers say what was cut; plans are carried out only where the config file allows it.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mcp_calls.sh"

need jq
odd=$(printf 'n\nq\377"')
mkdir -p t/a t/b
for f in 1 2 3 4 5 "$odd" --db; do
	printf 'content %s' "$f" >"t/a/$f"
	cp "t/a/$f" "t/b/$f"
done
scan t

# ask FILE: all its lines, in one session; the answers are in $T/out.
ask() {
	"$TWINDEX" mcp <"$1" >"$T/out" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
	[ -s "$T/err" ] && fail "said beside: $(cat "$T/err")"
}

# The protocol.
cat >"$T/in" <<'EOF'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"two \" \u00fc","method":"ping"}

{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}
{"jsonrpc":"2.0","id":4,"method":"server/discover"}
{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2999-01-01"}}}
{"jsonrpc":"2.0","id":6,"method":"no/such"}
{"jsonrpc":"2.0","method":"no/such"}
{"jsonrpc":"2.0","id":7,"result":{}}
{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"rm"}}
{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"info","arguments":[]}}
{"jsonrpc":"2.0","id":10,"method":"tools/call","params":7}
EOF
ask "$T/in"
is '[.[].id] == [1, "two \" ü", 3, 4, 5, 6, 8, 9, 10]' \
	'.[0].result | .protocolVersion == "2025-03-26" and .serverInfo.name == "twindex" and .capabilities.tools == {}' \
	'.[1].result == {}' \
	'.[2].result.protocolVersion == "2025-11-25"' \
	'.[3].result.supportedVersions | index("2026-07-28") != null' \
	'.[4].error | .code == -32022 and .data.requested == "2999-01-01"' \
	'[.[5:][].error.code] == [-32601, -32602, -32602, -32602]'

# What is no request.
printf '%s\n' 'x' '{"jsonrpc":"2.0","id":1' '[]' '7' '{}' '{"jsonrpc":"1.0","id":1,"method":"ping"}' \
	'{"jsonrpc":"2.0","id":{},"method":"ping"}' '{"jsonrpc":"2.0","id":null,"method":"ping"}' '{"jsonrpc":"2.0","id":1.5,"method":"ping"}' \
	'{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}' '{"jsonrpc":"2.0","id":"\ud800","method":"ping"}' '{"jsonrpc":"2.0","id":1,"method":7}' >"$T/in"
printf '{"jsonrpc":"2.0","id":"\377","method":"ping"}\n' >>"$T/in"
echo '{"jsonrpc":"2.0","id":2,"method":"ping"}' >>"$T/in"
ask "$T/in"
is 'length == 14 and .[13] == {"jsonrpc":"2.0","id":2,"result":{}}' \
	'[.[:13][].error.code] == [-32700, -32700, -32600, -32600, -32600, -32600, -32600, -32600, -32600, -32600, -32600, -32600, -32700]'
# A line that is too long is one error, and the next is answered; the last needs no newline.
{ head -c 20000000 /dev/zero | tr '\0' 'x'; printf '\n{"jsonrpc":"2.0","id":2,"method":"ping"}'; echo; printf '{"jsonrpc":"2.0","id":3,"method":"ping"}'; } >"$T/in"
ask "$T/in"
is '[.[].id] == [null, 2, 3]'

# Questions: the answer is that of the command line, and a verdict is in each.
{
	call 1 contained "{\"paths\":[\"$PWD/t/a\",\"$PWD/t/b\"]}"
	call 2 ls "{\"paths\":[\"$PWD/t/a\"],\"limit\":2,\"offset\":1}"
	call 3 file "{\"paths_b64\":[\"$(printf '%s' "$PWD/t/a/$odd" | base64 -w 0)\"]}"
	call 4 file "{\"paths\":[\"$PWD/t/a/--db\"]}"
	call 5 where '{"name":"--db"}'
	call 6 report '{"top":1,"min_size":"1"}'
	call 7 uniques "{\"paths\":[\"$PWD/t/a\"],\"exclude_path\":[\"$PWD/t/b\"],\"sort\":\"size\",\"reverse\":true}"
	call 8 info '{}'
	call 9 ls "{\"paths\":[\"$PWD/nowhere\"]}"
} >"$T/in"
ask "$T/in"
is 'length == 9 and all(.[:8][]; .result | .isError == false and (.content[0].text | fromjson) == .structuredContent)' \
	'all(.[:8][]; .result.structuredContent.answer | has("verdict") and has("exit") and has("not_judged") and has("unfinished"))' \
	'.[0].result.structuredContent | .answer.verdict == "contained" and .whole_lengths == {}' \
	'.[1].result.structuredContent | (.answer.files | length) == 2 and .whole_lengths == {"files": 7}' \
	'[.[2,3].result.structuredContent.answer.files[0].copies] == [1, 1]' \
	'.[4].result.structuredContent.answer.found | length == 2' \
	'.[5].result.structuredContent.answer | (.sets | length) == 1' \
	'.[6].result.structuredContent.answer | .verdict == "listed" and (.files | length) == 7' \
	'.[8].result | .isError and (.content[0].text | test("nowhere"))'
"$TWINDEX" report --json --top 1 --min-size 1 | jq -cS . >"$T/told"
jq -sc '.[5].result.structuredContent.answer' "$T/out" | jq -cS . | cmp -s - "$T/told" || fail 'not what report --json prints'

# Arguments that a tool does not take.
{
	call 1 ls "{\"paths\":[\"t/a\"]}"
	call 2 ls "{\"paths\":[\"/a\\u0000b\"]}"
	call 3 ls "{\"paths\":\"$PWD/t\"}"
	call 4 ls "{\"paths\":[\"$PWD/t\"],\"db\":\"/x\"}"
	call 5 ls "{\"paths\":[\"$PWD/t\"],\"sort\":[\"size\"]}"
	call 6 ls "{\"paths\":[\"$PWD/t\"],\"reverse\":\"yes\"}"
	call 7 ls "{\"paths\":[\"$PWD/t\"],\"limit\":-1}"
	call 8 ls "{\"paths\":[\"$PWD/t\"],\"exclude-path\":[\"/x\"]}"
	call 9 ls "{\"paths\":[\"$PWD/t\"],\"exclude_path\":[\"x\"]}"
	call 10 ls "{\"paths\":[\"$PWD/t\"],\"json\":true}"
	call 11 contained "{\"paths\":[\"$PWD/t\"]}"
	call 12 where '{}'
	call 13 report '{"html":"/x"}'
	call 14 file "{\"files_from\":\"-\",\"paths\":[\"$PWD/t/a/1\"]}"
	call 15 plan "{\"act\":\"burn\",\"paths\":[\"$PWD/t/a/1\"]}"
	call 16 plan "{\"act\":\"remove\",\"yes\":true,\"paths\":[\"$PWD/t/a/1\"]}"
	call 17 ls "{\"paths_b64\":[\"%%\"]}"
	call 18 ls "{\"paths\":[\"$PWD/t\"],\"sort\":\"size --db=/x\"}"
} >"$T/in"
ask "$T/in"
is 'length == 18 and all(.[]; .result.isError or .error.code == -32600)'

# Plans.
plan="{\"act\":\"remove\",\"paths\":[\"$PWD/t/a\"],\"recursive\":true}"
call 1 plan "$plan" >"$T/in"
call 2 plan "{\"act\":\"hard\",\"paths\":[\"$PWD/t/a/1\"]}" >>"$T/in"
ask "$T/in"
is '.[0].result.structuredContent.answer | .command == "rm" and .planned == 7 and .verdict == "done"' \
	'.[1].result.structuredContent.answer | .command == "link" and .planned == 1 and .kind == "hard"'
digest=$(jq -r 'select(.id == 1).result.structuredContent.answer.digest' "$T/out")
[ ${#digest} -eq 32 ] || fail "no digest: $digest"
{ echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'; call 2 plan "$plan"; call 3 apply "{\"digest\":\"$digest\"}"; } >"$T/in"
ask "$T/in"
is '[.[0].result.tools[] | select(.annotations.readOnlyHint | not)] == []' \
	'.[2].result | .isError and (.content[0].text | test("apply = yes"))'
run 2 mcp --apply </dev/null
err_has 'only in the config file'
[ -e t/a/1 ] || fail 'a file went'
# The config file allows it; what people like of listings and acts changes no answer of a question.
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG
printf '[mcp]\napply = yes\n[listing]\nformat = csv\n[ls]\nreverse\n[rm]\nprotect = %s\n' "$PWD/t/a/5" >"$TWINDEX_CONFIG"
{
	echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
	call 2 apply "{\"digest\":\"$digest\"}"
	call 3 ls "{\"paths\":[\"$PWD/t/a\"]}"
	call 4 plan "$plan"
} >"$T/in"
ask "$T/in"
is '[.[0].result.tools[] | select(.annotations.readOnlyHint | not).name] == ["apply"]' \
	'.[1].result | .isError and (.content[0].text | test("no plan of this digest"))' \
	'.[2].result.structuredContent.answer.files[0].path | endswith("/--db")' \
	'.[3].result.structuredContent.answer | .planned == 6 and .verdict == "some_stay"'
digest=$(jq -r 'select(.id == 4).result.structuredContent.answer.digest' "$T/out")
{
	call 1 plan "$plan"
	call 2 apply "{\"digest\":\"$digest\"}"
	call 3 apply "{\"digest\":\"$digest\"}"
} >"$T/in"
ask "$T/in"
is '.[1].result.structuredContent.answer | .done == 6' \
	'.[2].result.structuredContent.answer | .done == 0'
[ "$(ls t/a)" = 5 ] || fail "these stay: $(ls t/a)"
run 0 undo
[ "$(find t/a -type f -printf x)" = xxxxxxx ] || fail 'undo did not give back'
# A config file that is not believed allows nothing.
chmod o+w "$TWINDEX_CONFIG"
{ call 1 plan "$plan"; call 2 apply "{\"digest\":\"$digest\"}"; } >"$T/in"
"$TWINDEX" mcp <"$T/in" >"$T/out" 2>"$T/err"
is 'all(.[]; .result.isError)'
