# SPDX-License-Identifier: MIT
# A file that is written in place between two of its names, while a first scan walks, is not taken for what it was.
. "$srcdir/tests/cli/lib.sh"

need strace
# Small files are read in passing, of large ones the walk reads the head.
for size in 100 70000; do
	rm -rf t "$TWINDEX_DB"*
	mkdir -p t/a t/m t/z
	head -c $size /dev/zero | tr '\0' A >t/copy
	cp t/copy t/a/link
	ln t/a/link t/z/link
	# LeakSanitizer cannot work under a tracer.
	ASAN_OPTIONS=detect_leaks=0 strace -o "$T/trace" -f -e trace=getdents64,openat,openat2 -P "$PWD/t/m" \
		-e inject=getdents64:delay_enter=900000:when=1 \
		"$TWINDEX" -q scan --threads 1 --racy-window 0s t >"$T/out" 2>"$T/err" &
	pid=$!
	n=0
	until grep -q getdents64 "$T/trace" 2>/dev/null || [ $((n += 1)) -gt 100 ]; do
		sleep 0.05
	done
	printf B | dd of=t/a/link conv=notrunc 2>/dev/null
	wait $pid || {
		grep -q DELAYED "$T/trace" 2>/dev/null || skip 'no strace that can delay'
		fail "$(cat "$T/err")"
	}
	grep -q DELAYED "$T/trace" || skip 'nothing was delayed'
	scan
	run 0 report --format fdupes
	out </dev/null
	run 0 check
done
