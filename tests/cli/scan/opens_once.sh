# SPDX-License-Identifier: MIT
# A first scan reads a file to its end as it meets a head that it knows, and does not open it again.
. "$srcdir/tests/cli/lib.sh"

need strace
strace -o "$T/probe" true 2>/dev/null || skip 'strace does not work here'
mkdir one two
head -c 9000 /dev/zero >one/twin
head -c 9000 /dev/zero >two/twin
# LeakSanitizer cannot work under a tracer.
ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o "$T/trace" -e trace=openat,open,openat2 \
	"$TWINDEX" scan --threads 1 . >"$T/out" 2>"$T/err" || fail 'the traced scan failed'
# Each once in passing; then the first, of a size that was new, for all of it, and the second for
# what is behind its head.
n=$(grep -c 'twin"' "$T/trace")
[ "$n" -eq 4 ] || fail "opened $n times"
rows 'SELECT count(DISTINCT hash) FROM file_view'
out <<'END1'
1
END1
