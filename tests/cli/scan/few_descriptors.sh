# SPDX-License-Identifier: MIT
# A scan gets by with few open files: what it would like to open ahead of time is opened in its turn.
. "$srcdir/tests/cli/lib.sh"
need_linux descriptors of each thread: they share few

# So many that a thread takes 64 at a time.
fill() {
	mkdir -p "$1/0" "$1/1" "$1/2"
	$AWK -v top="$1" 'BEGIN {
		for (i = 0; i < 2400; i++) {
			name = top "/" i % 3 "/" i
			printf "%0*d", i % 50 + 1, 0 >name
			close(name)
		}
	}'
}
few() {
	(ulimit -n 16 && exec "$TWINDEX" "$@")
}

fill a
few scan --racy-window 0s . >"$T/first" || fail "first scan: $?"
grep -q 'files  *2,400 ' "$T/first" || fail 'first scan: files'
fill b
few scan --racy-window 0s >"$T/second" || fail "second scan: $?"
[ "$("$TWINDEX" dups -c . | wc -l)" -eq 4800 ] || fail 'not all were read'
run 0 check
