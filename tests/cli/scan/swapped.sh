# SPDX-License-Identifier: MIT
# A directory that is swapped for a link between walk and reading leads nobody out of its root.
. "$srcdir/tests/cli/lib.sh"

need strace
mkdir -p r/p/d secret/d
printf 'here' >r/a
printf 'here' >secret/d/x
scan r
printf 'twin' >r/p/d/x
printf 'twin' >r/b
# The second thread reads: when it is about to go to r/p/d, r/p becomes a link.
if is_linux; then
	call=openat2 last=d n=2
else
	# By way of p, to which the first thread goes once more; what names p and what is done in secret is all that is seen.
	call=openat last=p n=3
	set -- -P p -P "$T/work/secret" -P "$T/work/secret/d"
fi
ASAN_OPTIONS=detect_leaks=0 strace -y -o "$T/trace" -f -e trace=openat2,openat "$@" \
	-e inject=$call:delay_enter=2000000:when=1 \
	"$TWINDEX" scan --threads 1 --racy-window 0s r >"$T/out" 2>"$T/err" &
pid=$!
i=0
while [ $i -lt 100 ] && [ "$(cat "$T/trace" 2>/dev/null | grep -c "$call.*$last\"")" -lt $n ]; do
	i=$((i + 1))
	sleep 0.1
done
[ $i -lt 100 ] || skip 'no strace that can delay, or no openat2'
mv r/p r/was
ln -s ../secret r/p
got=0
wait $pid || got=$?
ran='twindex scan r'
grep 'openat.*/secret' "$T/trace" && fail 'a link was followed'
[ $got = 3 ] || { show_run; fail "status $got"; }
scan
out_line 'duplicates  1 set, .*'
run 0 check
