# SPDX-License-Identifier: MIT
# A signal ends the reading of a file that is not in the index; the file is not said to have changed.
. "$srcdir/tests/cli/lib.sh"

mkdir d
truncate -s 400G d/big other 2>/dev/null || skip 'no files of this size here'
run 0 scan d
# The stranger itself is read first, then the file of its size that nobody had to read.
"$TWINDEX" file other >"$T/out" 2>"$T/err" &
pid=$!
n=0
until ls -l /proc/$pid/fd 2>/dev/null | grep -q '/other$' || [ $((n += 1)) -gt 100 ]; do
	sleep 0.05
done
kill -INT $pid
wait $pid
got=$?
[ $got -eq 130 ] || fail "exit status $got: $(cat "$T/out")"
err_has 'interrupted'
out </dev/null
# A signal that comes before a list of paths is read is not slept through.
need strace
mkfifo "$T/list"
sleep 60 >"$T/list" &
sleeper=$!
got=0
# LeakSanitizer cannot work under a tracer.
ASAN_OPTIONS=detect_leaks=0 timeout 20 strace -o "$T/trace" -P "$TWINDEX_DB-journal" -e trace=newfstatat \
	-e inject=newfstatat:signal=INT:when=1 \
	"$TWINDEX" file --files-from - <"$T/list" >"$T/out" 2>"$T/err" || got=$?
kill $sleeper
grep -q SIGINT "$T/trace" || skip 'no strace that can send signals'
[ $got -eq 130 ] || fail "exit status $got: $(cat "$T/out" "$T/err")"
err_has 'interrupted'
out </dev/null
