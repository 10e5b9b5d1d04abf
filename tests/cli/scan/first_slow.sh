# SPDX-License-Identifier: MIT
# A first scan that waits longer for its tree than it has the index for itself: what it finds then is written with a log.
. "$srcdir/tests/cli/lib.sh"

need strace
mkdir -p tree/slow
# shellcheck disable=SC2046 # a list of words
(cd tree/slow && mkdir $(seq 0 299))
i=0
while [ $i -lt 300 ]; do
	echo $((i / 2)) >"tree/slow/$i/file"
	i=$((i + 1))
done
call=$(made openat2)
# LeakSanitizer cannot work under a tracer.
ASAN_OPTIONS=detect_leaks=0 strace -o "$T/trace" -f -P slow -e trace=$call -e inject=$call:delay_enter=5200000:when=1 \
	"$TWINDEX" -q scan tree >"$T/out" 2>"$T/err" || {
	grep -q 'DELAYED' "$T/trace" 2>/dev/null || skip 'no strace that can delay'
	fail "$(cat "$T/err")"
}
grep -q 'DELAYED' "$T/trace" || skip 'nothing was delayed'
[ -e "$TWINDEX_DB-journal" ] && fail 'a journal is left'
run 0 check
run 0 sql 'SELECT count(*) AS n FROM file_view'
out_line '300'
