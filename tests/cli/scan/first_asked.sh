# SPDX-License-Identifier: MIT
# A question during the first seconds of an index's first scan waits, and has an answer then.
. "$srcdir/tests/cli/lib.sh"

truncate -s 500M a b c 2>/dev/null || skip 'no files of this size here'
[ "$(stat -c %b a)" -lt 100 ] || skip 'no holes on this file system'
pid=
trap '[ -z "$pid" ] || kill -9 $pid 2>/dev/null; cleanup' EXIT
"$TWINDEX" -q scan . &
pid=$!
n=0
until [ -e "$TWINDEX_DB" ]; do
	n=$((n + 1))
	[ $n -lt 1000 ] || fail 'no index'
	sleep 0.01
done
run 0 sql --no-header 'SELECT name FROM file_view ORDER BY name'
out <<'END'
a
b
c
END
wait $pid || fail 'the scan failed'
pid=
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
b
c

END
run 0 check
# One that is stopped keeps what it has; whoever asks can leave, and is not told that there is nothing.
rm "$TWINDEX_DB"*
"$TWINDEX" -q scan . &
pid=$!
until [ -e "$TWINDEX_DB" ]; do
	sleep 0.01
done
kill -STOP $pid
"$TWINDEX" report >"$T/out" 2>"$T/err" &
asked=$!
sleep 0.3
kill -TERM $asked
wait $asked
status=$?
kill -CONT $pid
[ $status -eq 143 ] || fail "status $status instead of 143: $(cat "$T/err")"
wait $pid || fail 'the scan failed'
pid=
# One that is killed leaves nothing, and who waits for it is told so.
rm "$TWINDEX_DB"*
"$TWINDEX" -q scan . 2>/dev/null &
pid=$!
until [ -s "$TWINDEX_DB-journal" ]; do
	kill -0 $pid 2>/dev/null || skip 'the scan is done too early'
done
kill -STOP $pid
"$TWINDEX" report >"$T/out" 2>"$T/err" &
asked=$!
sleep 0.3
kill -9 $pid
wait $pid
pid=
status=0
wait $asked || status=$?
[ $status -eq 5 ] || fail "status $status instead of 5: $(cat "$T/err")"
err_has 'is empty'
