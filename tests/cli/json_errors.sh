# SPDX-License-Identifier: MIT
# A call that fails says so in the JSON that was asked for, too: what a pipe reads is never nothing.
. "$srcdir/tests/cli/lib.sh"

# error STATUS TEXT ARG...: one document, or one line, which says what the message on stderr does.
error()
{
	status=$1 text=$2
	shift 2
	run "$status" "$@"
	err_has "$text"
	printf '%s\n' "$before\"error\":\"$text\",\"verdict\":\"error\",\"exit\":$status,\"not_judged\":{},\"unfinished\":false}" >"$T/want"
	cmp -s "$T/want" "$T/out" || { show_run; fail "not: $(cat "$T/want")"; }
}

before='{"schema_version":1,'
error 5 "no index at '$T/index.db': run twindex scan first" ls --json
error 5 "no index at '$T/index.db': run twindex scan first" info --json
error 5 "no index at '$T/index.db': run twindex scan first" check --json
error 2 "unknown option '--nope'; did you mean '--name'?" ls --nope --json
error 2 "unknown option '--nope'; did you mean '--name'?" ls --format json --nope
error 2 "unknown command 'lss'; did you mean 'ls'?" lss --format=json
error 2 "unknown option '--nope'" --nope ls --json
error 2 'hash needs a path' hash --json
before='{"type":"verdict",'
error 5 "no index at '$T/index.db': run twindex scan first" ls --format ndjson
before='{"schema_version":1,'
# Where no JSON was asked for there is none, nor behind the end of the options.
run 5 ls
out </dev/null
run 2 ls --nope
out </dev/null
run 2 ls --nope -- --json
out </dev/null
mkdir a
echo 1 >a/1
cp a/1 a/2
scan a
error 2 "'a' and 'a' are one directory" contained a a --json
# An index that another process writes to.
need flock
(
	flock 9 || exit 99
	printf '4711 on somewhere\n' >&9
	run 4 scan --json
	out_has '{"schema_version":1,"error":"'
	out_has ',"verdict":"error","exit":4,"not_judged":{},"unfinished":false}'
) 9<>"$TWINDEX_DB-lock" || exit
# Damage: the document has the findings, and says what they come to.
scanned=no
[ -n "$SQLITE3" ] || exit 0
"$SQLITE3" "$TWINDEX_DB" 'DROP INDEX file_error'
run 5 check --json
case $(cat "$T/out") in
'{"schema_version":1,"command":"check","findings":[{"finding":"missing","what":"'*'],"error":"'*'","verdict":"error","exit":5,"not_judged":{},"unfinished":false}') ;;
*) show_run; fail 'the findings' ;;
esac
size=$(wc -c <"$TWINDEX_DB")
at=8192
while [ $at -lt "$size" ]; do
	printf '\377\377\377\377\377\377\377\377\377\377\377\377' | dd of="$TWINDEX_DB" bs=1 seek=$at conv=notrunc 2>/dev/null
	at=$((at + 4096))
done
run 5 ls --json
out_has '"verdict":"error","exit":5'
