# SPDX-License-Identifier: MIT
# A directory that is swapped for a link between walk and reading leads nobody out of its root.
. "$srcdir/tests/cli/lib.sh"

need strace
mkdir -p r/p/d secret/d
printf 'here' >r/a
printf 'here' >secret/d/x
ASAN_OPTIONS=detect_leaks=0 strace -f -o "$T/calls" -e trace=openat2,openat -e inject=openat:delay_enter=1:when=1 "$TWINDEX" -q scan \
	--racy-window 0s r || skip 'no strace that can delay'
! is_linux || ! grep -q 'openat2.* \(ENOSYS\|EPERM\) ' "$T/calls" || skip 'no openat2'
printf 'twin' >r/p/d/x
printf 'twin' >r/b
# When a thread is about to read r/p/d/x, r/p becomes a link.  What names that and what is done in secret is all that is seen.
if is_linux; then
	call=openat2 last=x n=1
	set -- -P p/d/x
else
	# By way of p, to which the first thread goes once more.
	call=openat last=p n=3
	set -- -P p
fi
ASAN_OPTIONS=detect_leaks=0 strace -y -o "$T/trace" -f -e trace=openat2,openat "$@" -P "$T/work/secret" -P "$T/work/secret/d" \
	-e inject=$call:delay_enter=1000000:when=1 \
	"$TWINDEX" scan --threads 1 --racy-window 0s r >"$T/out" 2>"$T/err" &
pid=$!
i=0
while [ $i -lt 200 ] && [ "$(cat "$T/trace" 2>/dev/null | grep -c "$call.*$last\"")" -lt $n ]; do
	i=$((i + 1))
	sleep 0.05
done
[ $i -lt 200 ] || is_linux || skip 'no such call of openat'
[ $i -lt 200 ] || fail "not held at the call that this is about: $(cat "$T/trace")"
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
