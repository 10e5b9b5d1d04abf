# SPDX-License-Identifier: MIT
# A file that is written in place between two of its names, while a first scan walks, is not taken for what it was.
. "$srcdir/tests/cli/lib.sh"

# Small files are read in passing, of large ones the walk reads the head.
for size in 100 70000; do
	rm -rf t "$TWINDEX_DB"*
	mkdir -p t/a t/m t/z
	head -c $size /dev/zero | tr '\0' A >t/copy
	cp t/copy t/a/link
	ln t/a/link t/z/link
	hold_path=$PWD/t/m
	hold getdents64 1 -q scan --threads 1 --racy-window 0s t
	printf B | dd of=t/a/link conv=notrunc 2>/dev/null
	resume 0
	scan
	run 0 report --format fdupes
	out </dev/null
	run 0 check
done
