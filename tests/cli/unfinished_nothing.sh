# SPDX-License-Identifier: MIT
# A first scan that is cut off before it has met a root leaves an index of nothing: every answer says so, with status 3.
. "$srcdir/tests/cli/lib.sh"

need strace
mkdir t
printf 'same' >t/a
printf 'same' >t/b
# A worker lists the directory, and is held there; signals come to the thread of the process's own number.  LeakSanitizer
# cannot work under a tracer.
ASAN_OPTIONS=detect_leaks=0 strace -f -o "$T/trace" -e trace=getdents64,exit_group -e inject=getdents64:delay_enter=1000000 \
	sh -c 'echo $$ >"$1" && shift && exec "$@"' sh "$T/pid" "$TWINDEX" scan t >"$T/out" 2>"$T/err" &
waits=0
until grep -q getdents64 "$T/trace" 2>/dev/null; do
	waits=$((waits + 1))
	[ $waits -lt 300 ] || skip 'no strace that can hold a call'
	sleep 0.02
done
kill -TERM "$(cat "$T/pid")"
got=0
wait $! || got=$?
[ $got -eq 143 ] || fail "status $got of a scan that was ended"
for question in report 'report --json' 'ls t' 'dups t' 'uniques t' 'where a'; do
	# shellcheck disable=SC2086 # words
	run 3 $question
	err_has "incomplete: nothing was scanned yet; 'twindex scan DIR' begins"
done
run 3 report
out <<'END'
No duplicates so far.
END
run 3 redundant
out_line 'No directory is known that can go as a whole.'
run 3 file t/a -c "$T/work/"
out <<'END'
   unknown  t/a (not in the index, which has not met every file yet)
END
run 3 diff
out_line 'to:   now: no scan has finished'
run 0 info
out_line "unfinished  nothing was scanned yet; 'twindex scan DIR' begins"
run 0 check
out_has 'ok, but nothing was scanned yet'
run 2 scan
scan t
run 0 report
out_has '1 set, 2 files'
err_lacks 'incomplete'
run 0 file t/a
# Where everything was forgotten nothing is left undone.
run 0 forget t
run 0 report
run 0 check
out <<'END'
ok
END
