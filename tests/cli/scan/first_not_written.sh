# SPDX-License-Identifier: MIT
# A first scan whose index can't be written says so, also when a signal has ended it, and leaves nothing but an empty index.
. "$srcdir/tests/cli/lib.sh"

i=0
while [ $i -lt 1500 ]; do
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
# With a signal meanwhile, whichever comes first.
rm -f "$TWINDEX_DB"*
(
	trap '' XFSZ
	ulimit -f 100
	exec "$TWINDEX" -q scan .
) >"$T/out" 2>"$T/err" &
pid=$!
until [ -e "$TWINDEX_DB" ] || ! kill -0 $pid 2>/dev/null; do
	:
done
kill -TERM $pid 2>/dev/null
wait $pid
status=$?
[ $status -ne 0 ] || fail 'a scan without room succeeded'
grep -q "index '$TWINDEX_DB'" "$T/err" || fail "status $status, no word of the index: $(cat "$T/err")"
# Any other writer tells it, too.
rm -f "$TWINDEX_DB"*
: >"$TWINDEX_DB"
limited refresh -q >"$T/out" 2>"$T/err" && fail 'refresh without room succeeded'
scan .
run 0 check
