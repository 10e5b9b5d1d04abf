# SPDX-License-Identifier: MIT
# SIGINT and SIGTERM end a scan within a second or so; what was indexed stays, and the next scan goes on.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
scan .
truncate -s 400G big1 big2 2>/dev/null || skip 'no files of this size here'
pid=
trap 'kill -9 $pid 2>/dev/null; cleanup' EXIT
for sig in INT TERM; do
	# As under nohup.
	(trap '' HUP && exec "$TWINDEX" scan --racy-window 0s . >"$T/out" 2>"$T/err") &
	pid=$!
	# Its reading has begun: there is no end to it.  A thread may have files of its own.
	n=0
	until ls -l /proc/$pid/task/*/fd 2>/dev/null | grep -q '/big[12]$' || [ $((n += 1)) -gt 200 ]; do
		sleep 0.05
	done
	kill -HUP $pid
	sleep 0.1
	kill -0 $pid || fail 'an ignored SIGHUP ended it'
	kill -$sig $pid
	start=$(date +%s)
	wait $pid
	got=$?
	[ $(($(date +%s) - start)) -le 3 ] || fail "SIG$sig took too long"
	case $sig in
	INT) [ $got -eq 130 ] || fail "exit status $got after SIGINT" ;;
	TERM) [ $got -eq 143 ] || fail "exit status $got after SIGTERM" ;;
	esac
	err_has 'interrupted'
	run 0 check
	run 0 info
	out_has interrupted
	run 3 report --format fdupes -c "$T/work/"
	out <<'END'
a
b

END
	run 3 ls -c "$T/work/" big1
	out_has '   unknown  big1 ('
done
rm big2
scan
run 0 ls -c "$T/work/"
out <<'END'
       dup  a
       dup  b
    unique  big1
END
run 0 check
out <<'END'
ok
END
