# SPDX-License-Identifier: MIT
# Every JSON document and NDJSON stream ends with the verdict, the exit status, and what was not judged: a pipe loses the
# status, and an empty list of what is missing must not read as "all is there" when nothing was judged.
. "$srcdir/tests/cli/lib.sh"

# last_line: $last is that of stdout.
last_line() { while IFS= read -r line; do last=$line; done <"$T/out"; }
# ends STATUS WORD NOT_JUDGED ARG...: in both formats.
ends()
{
	status=$1 end="\"verdict\":\"$2\",\"exit\":$1,\"not_judged\":{$3},\"unfinished\":${unfinished:-false}}"
	shift 3
	run "$status" "$@" --json
	last_line
	[ "$last" != "${last%"$end"}" ] || fail "the document does not end with $end"
	run "$status" "$@" --format ndjson
	last_line
	[ "$last" = "{\"type\":\"verdict\",$end" ] || fail "the stream does not end with $end"
}

mkdir a b c
printf one >a/1
cp a/1 b/
printf two >b/2
scan .
ends 0 contained '' contained a b
ends 1 missing '' contained b a
cp -r a a2
scan .
ends 0 same '' compare a a2
rm -r a2
scan .
ends 1 different '' compare a b
ends 0 can_go '' redundant a
ends 1 stays '' redundant b
ends 1 at_risk '' at-risk b
ends 0 none_at_risk '' at-risk a
ends 0 has_copy '' file a/1
ends 1 no_copy '' file b/2
ends 0 listed '' ls a
ends 0 listed '' dups a
ends 0 listed '' uniques b
ends 0 done '' report
ends 0 done '' du a
ends 0 done '' volumes
ends 0 done '' similar
ends 0 done '' where 1
ends 1 no '' where nothing
ends 0 done '' marks
# Not judged, in what was asked about.
printf new >a/new
ln -s 1 a/link
ends 3 not_judged '"new":1' contained a b
ends 3 not_judged '"new":1' uniques a
ends 3 not_judged '"new":1' at-risk a
ends 3 not_judged '"new":1' redundant a
ends 3 not_judged '"new":1' compare a b
ends 3 not_judged '"new":1' du a
# A path that does not exist is graver.
run 2 uniques a nowhere --json
out_has '"verdict":"no_such_path","exit":2'
# A scan that was cut off.
head -c 30000000 /dev/zero | split -a 3 -b 100000 - c/
"$TWINDEX" scan -q --max-time 1ms . >/dev/null 2>&1
run 3 at-risk b --json
case $(cat "$T/out") in
*'"verdict":"not_judged","exit":3,"not_judged":{'*'},"unfinished":true}') ;;
*) fail "an unfinished scan: $(tail -c 200 "$T/out")" ;;
esac
# Who gets no answer reads why.
run 5 ls --db "$T/none.db" --json
out_has '"verdict":"error","exit":5,'

