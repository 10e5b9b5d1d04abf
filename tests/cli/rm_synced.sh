# SPDX-License-Identifier: MIT
# ACT-11: the copy that stays, its directory and the journal are written to the disk before the first rename.
. "$srcdir/tests/cli/lib.sh"

need strace
mkdir d e
for f in 1 2; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
ASAN_OPTIONS=detect_leaks=0 strace -f -y -o "$T/trace" -e trace=fsync,fdatasync,renameat2 "$TWINDEX" -q rm -r d --yes ||
	fail 'rm failed'
grep -q renameat2 "$T/trace" || skip 'no renameat2 here'
sed '/renameat2/,$d' "$T/trace" >"$T/before"
for f in e/1 e/2 e; do
	grep -q "fsync([0-9]*<$T/work/$f>" "$T/before" || fail "$f was not written to the disk before: $(cat "$T/trace")"
done
grep -q "fdatasync([0-9]*<$TWINDEX_DB-acts>" "$T/before" || fail 'the journal was not written to the disk before'
