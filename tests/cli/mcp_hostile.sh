# SPDX-License-Identifier: MIT
# What a hostile client sends to twindex mcp: each line has one answer, which is right or refuses; nothing is written but by
# apply, where the config file of that moment allows it; and each answer of a tool has a verdict.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mcp_calls.sh"

need jq mkfifo
mkdir -p t/a t/b
for f in 1 2 3 4; do
	printf 'content %s' "$f" >"t/a/$f"
	cp "t/a/$f" "t/b/$f"
done
scan t
run 0 mark drop t/b/4
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG
: >"$TWINDEX_CONFIG"

ask() {
	"$TWINDEX" mcp <"$T/in" >"$T/out" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
}

# A NUL in a text is not its end, and of a key that stands twice nobody knows which counts.
cat >"$T/in" <<EOF
{"jsonrpc":"2.0","id":"a\u0000b","method":"ping"}
{"jsonrpc":"2.0","id":1,"method":"ping\u0000x"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"info\u0000x"}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"plan","arguments":{"act":"remove","paths":["$PWD/t/a/1\u0000x"]}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"plan","arguments":{"act":"remove","act":"trash","paths":["$PWD/t/a/1"]}}}
{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"ls","arguments":{"paths":["$PWD/t/a"],"paths":["$PWD/t/b"]}}}
{"jsonrpc":"2.0","id":6,"id":7,"method":"ping"}
{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"where","arguments":{"name":"\\\\\\\\u0000"}}}
EOF
ask
is 'length == 8 and all(.[:7][]; .error.code == -32600 and .id == null)' \
	'.[7] | .id == 8 and .result.structuredContent.answer.verdict == "no"'
# Blank lines, and ends of lines as another system has them, are no requests.
printf '\r\n \t\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\r\n' >"$T/in"
ask
is 'length == 1 and .[0].result == {}'
# Deep, long, many.
{
	head -c 200000 /dev/zero | tr '\0' '['
	echo
	printf '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]\n'
	call 3 ls "{\"paths\":[\"/$(head -c 400000 /dev/zero | sed 's|\x00|a/|g')\"]}"
	call 4 ls '{"paths":["-rf"]}'
	call 5 ls '{"paths":["--yes"]}'
	call 6 diff '{"since":"--each"}'
	call 7 at_risk '{"newer":"--files"}'
	call 8 apply '{"digest":"--yes"}'
	call 9 rm '{"paths":["/"]}'
	call 10 ls "{\"paths\":[\"$PWD/t\\na\"]}"
	call 11 ls '{"paths_b64":["L//+"]}'
	echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":11}}'
	echo '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"apply","arguments":{"digest":"x"}}}'
	printf '{"jsonrpc":"2.0","id":12,"method":"pi'
} >"$T/in"
ask
is '[.[].id] == [null, null, 3, 4, 5, 6, 7, 8, 9, 10, 11, null]' \
	'.[8].error.code == -32602'
# Whatever a tool answers, a refusal, too, says what it comes to.
is 'all(.[2:8][], .[9], .[10]; .result | .isError and (.structuredContent.answer | .exit == 2 and (.verdict == "error" or .verdict == "no_such_path") and .not_judged == {} and .unfinished == false))'
(
	call 1 info '{}' >"$T/in"
	TWINDEX_DB=$T/none.db
	export TWINDEX_DB
	ask
	is '.[0].result | .isError and (.structuredContent.answer | .exit == 5 and .verdict == "error" and (.error | test("none.db")))'
) || exit

# No tool but apply writes anything, to the index neither.
written() { find "$T/index.db" "$T/state" "$T/home" t -type f -exec cksum {} + | sort; }
digest=0
{
	echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
	for tool in contained compare; do call 2 $tool "{\"paths\":[\"$PWD/t/a\",\"$PWD/t/b\"]}"; done
	for tool in redundant at_risk uniques dups file ls report similar du marks log; do call 3 $tool "{\"paths\":[\"$PWD/t/a\"]}"; done
	for tool in diff volumes info; do call 4 $tool '{}'; done
	call 5 where '{"name":"1"}'
	for act in remove trash hard soft reflink; do call 6 plan "{\"act\":\"$act\",\"paths\":[\"$PWD/t/a\"],\"recursive\":true}"; done
	call 7 plan '{"act":"remove","marked":true}'
} >"$T/in"
written >"$T/before"
ask
is '[.[0].result.tools[].name] - ["plan"] | length == 17' \
	'all(.[1:][]; .result.structuredContent.answer | has("verdict") and has("exit") and has("not_judged") and has("unfinished"))' \
	'[.[0] | .. | objects | keys[]] | index("rescue") == null'
written >"$T/after"
cmp "$T/before" "$T/after" || fail 'something was written'
# Nor is what is contained copied.
call 1 contained "{\"paths\":[\"$PWD/t/a\",\"$PWD/t/b\"],\"rescue\":\"$PWD/t/new\",\"yes\":true}" >"$T/in"
ask
is '.[0].error.code == -32602 or .[0].result.isError'
[ ! -e t/new ] || fail 'it was copied'

# A session in which something happens between two calls.
mkfifo "$T/to" "$T/from"
begin() {
	"$TWINDEX" mcp <"$T/to" >"$T/from" 2>"$T/err" &
	exec 8>"$T/to" 9<"$T/from"
}
end() {
	exec 8>&- 9<&-
	wait
}
say() {
	"$@" >&8
	IFS= read -r answer <&9 || fail 'no answer'
	printf '%s\n' "$answer" >"$T/out"
}
plan="{\"act\":\"remove\",\"paths\":[\"$PWD/t/a\"],\"recursive\":true}"
begin
say call 1 plan "$plan"
digest=$(jq -r .result.structuredContent.answer.digest "$T/out")
say call 2 apply "{\"digest\":\"$digest\"}"
is '.[0].result.isError'
# Allowed by then, and one directory more is protected.
printf '[mcp]\napply = yes\n[rm]\nprotect = %s\n' "$PWD/t/a/2" >"$TWINDEX_CONFIG"
printf 'other content' >t/b/1
rm t/a/3
echo 'another file' >t/a/3
say call 3 apply "{\"digest\":\"$digest\"}"
is '.[0].result.structuredContent.answer | .done == 1 and .exit != 0'
[ "$(ls t/a | tr '\n' ' ')" = '1 2 3 ' ] || fail "these stay: $(ls t/a)"
say call 4 apply "{\"digest\":\"$digest\"}"
is '.[0].result.structuredContent.answer.done == 0'
# Edited, of another server, of the next one.
say call 5 apply "{\"digest\":\"$(echo "$digest" | tr 0-9a-f 1-9a-f0)\"}"
is '.[0].result | .isError and (.structuredContent.answer.error | test("no plan"))'
# Forbidden again.
: >"$TWINDEX_CONFIG"
say call 6 plan "{\"act\":\"remove\",\"paths\":[\"$PWD/t/a/2\"]}"
digest=$(jq -r .result.structuredContent.answer.digest "$T/out")
say call 7 apply "{\"digest\":\"$digest\"}"
is '.[0].result | .isError and (.content[0].text | test("apply = yes"))'
printf '[mcp\n' >"$TWINDEX_CONFIG"
say call 8 apply "{\"digest\":\"$digest\"}"
is '.[0].result | .isError and .structuredContent.answer.exit == 2'
printf '[mcp]\napply = yes\n' >"$TWINDEX_CONFIG"
chmod o+w "$TWINDEX_CONFIG"
say call 9 apply "{\"digest\":\"$digest\"}"
is '.[0].result.isError'
chmod o-w "$TWINDEX_CONFIG"
[ -e t/a/2 ] || fail 'it went'
# Two servers, one index: the other one has no such plan.
call 1 apply "{\"digest\":\"$digest\"}" >"$T/in"
"$TWINDEX" mcp <"$T/in" >"$T/out"
is '.[0].result.isError'
say call 10 apply "{\"digest\":\"$digest\"}"
is '.[0].result.structuredContent.answer.done == 1'
end
[ ! -e t/a/2 ] || fail 'it stays'

# An answer that no client could read is refused before it fills the memory; messages are cut.
# That takes half of the time of this test.
[ -n "$PYTHON" ] && [ -n "${EVERY_KIND:-}" ] || exit 0
rm -rf t
mkdir t
"$PYTHON" -SB - <<'END'
import os
top = b"t/" + b"/".join([b"\xff" * 250] * 3)
os.makedirs(top)
open("t/x", "w").write("x")
for i in range(12000):
    os.link("t/x", top + b"/" + b"\xff" * 200 + str(i).encode())
for i in range(2000):
    os.makedirs(f"t/shut/a directory with a long name which is in the way of a message of some length {i}")
END
scan t
ordinary
$as chmod 000 t/shut/*
{
	call 1 ls "{\"paths\":[\"$PWD/t\"],\"limit\":1}"
	call 2 uniques "{\"paths\":[\"$PWD/t/shut\"]}"
} >"$T/in"
$as "$TWINDEX" mcp <"$T/in" >"$T/out" 2>"$T/err" || fail 'it ended'
is '.[0].result | .isError and (.structuredContent.answer | .exit == 2 and (.error | test("64 MiB")))' \
	'.[1].result.structuredContent | .answer.not_judged.unreadable == 2000 and (.messages | length < 20000 and endswith("... and more"))'
$as chmod 755 t/shut/*
