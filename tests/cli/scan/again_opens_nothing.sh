# SPDX-License-Identifier: MIT
# A scan of an unchanged tree opens directories and the index, and no file of the tree.
. "$srcdir/tests/cli/lib.sh"

need strace
strace -o "$T/probe" true 2>/dev/null || skip 'strace does not work here'
mkdir -p d/e
for i in 1 2 3; do
	printf 'content' >"d/same$i"
	printf 'content' >"d/e/deep$i"
done
scan .
# LeakSanitizer cannot work under a tracer.
ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o "$T/trace" -e trace=openat,open,openat2 \
	"$TWINDEX" scan --racy-window 0s >"$T/out" 2>"$T/err" || fail 'the traced scan failed'
grep -q '"'"$T/work"'"' "$T/trace" || fail 'the trace does not show the root: this test proves nothing'
! grep -E 'same|deep' "$T/trace" || fail 'a file was opened'
# All that is opened for reading below the root is a directory.
! grep -E "\"($T/work|d|e)\"" "$T/trace" | grep -v O_DIRECTORY || fail 'opened, but not as a directory'

# The trace would show it: a changed file is opened.
printf 'CONTENT' >d/same1
ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o "$T/trace" -e trace=openat,open,openat2 \
	"$TWINDEX" scan --racy-window 0s >"$T/out" 2>"$T/err" || fail 'the second traced scan failed'
grep -q same1 "$T/trace" || fail 'the changed file was not opened'
