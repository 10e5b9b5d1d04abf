# SPDX-License-Identifier: MIT
# A first scan whose index can't be written says so, also when a signal has ended it, and leaves nothing but an empty index.
. "$srcdir/tests/cli/lib.sh"

i=0
while [ $i -lt 3000 ]; do
	: >"$i"
	i=$((i + 1))
done
# limited ARG...: no file may be larger than this (512-byte blocks); a larger one is an error, not a signal.
limited()
(
	trap '' XFSZ
	ulimit -f 100
	exec "$TWINDEX" "$@"
)
limited scan . >"$T/out" 2>"$T/err" && fail 'a scan without room succeeded'
grep -q "index '$TWINDEX_DB'" "$T/err" || fail "no word of the index: $(cat "$T/err")"
grep -q 'not an error' "$T/err" && fail "no cause: $(cat "$T/err")"
run 5 report
# With a file that takes long, and a signal meanwhile: there is room for the rows, but not for all of the index.
run 0 --db "$T/whole.db" scan .
blocks=$(($(stat -c %s "$T/whole.db") / 512 - 100))
truncate -s 8000M large1 large2 2>/dev/null || skip 'no files of this size here'
[ "$(stat -c %b large1)" -lt 100 ] || skip 'no holes on this file system'
(
	trap '' XFSZ
	ulimit -f $blocks
	exec "$TWINDEX" -q scan .
) >"$T/out" 2>"$T/err" &
pid=$!
# All is walked when these are read to their end; threads have files of their own.
i=0
until ls -l /proc/$pid/task/*/fd 2>/dev/null | grep -q /large; do
	sleep 0.1
	i=$((i + 1))
	[ $i -lt 100 ] || skip 'not seen to read'
done
kill -TERM $pid || fail "it has not waited for the signal: $(cat "$T/err")"
wait $pid
status=$?
[ $status -ne 0 ] || fail 'a scan without room succeeded'
grep -q "index '$TWINDEX_DB'" "$T/err" || fail "status $status, no word of the index: $(cat "$T/err")"
# Any other writer tells it, too.
rm -f "$TWINDEX_DB"*
: >"$TWINDEX_DB"
limited refresh -q >"$T/out" 2>"$T/err" && fail 'refresh without room succeeded'
rm large1 large2
scan .
run 0 check
