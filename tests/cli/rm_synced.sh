# SPDX-License-Identifier: MIT
# ACT-11: the copy that stays, its directory and the journal are written to the disk before the first rename.
. "$srcdir/tests/cli/lib.sh"

need strace
rename=$(made renameat2)
mkdir d e
for f in 1 2; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
ASAN_OPTIONS=detect_leaks=0 strace -f -y -o "$T/trace" -e trace=fsync,fdatasync,$rename "$TWINDEX" -q rm -r d --yes ||
	fail 'rm failed'
grep -q $rename "$T/trace" || fail 'nothing was renamed'
sed "/$rename/,\$d" "$T/trace" >"$T/before"
for f in e/1 e/2 e; do
	grep -q "fsync([0-9]*<$T/work/$f>" "$T/before" || fail "$f was not written to the disk before: $(cat "$T/trace")"
done
grep -q "fdatasync([0-9]*<$TWINDEX_DB-acts>" "$T/before" || fail 'the journal was not written to the disk before'

# Of many copies all that was written to their volume is; one that could not be written is none, nor is any where nobody can tell.
# many STATUS LEFT INJECTION...: rm of 40 files, of which LEFT stay.
many()
{
	status=$1 left=$2
	shift 2
	rm -rf d e
	mkdir d e
	f=0
	while [ $f -lt 40 ]; do
		f=$((f + 1))
		printf 'content %s' $f >d/$f
		printf 'content %s' $f >e/$f
	done
	scan .
	ran="rm of 40 with $*"
	got=0
	inject=
	for i in "$@"; do inject="$inject -e inject=$i"; done
	# shellcheck disable=SC2086
	ASAN_OPTIONS=detect_leaks=0 strace -f -y -o "$T/trace" -e trace=syncfs,sync_file_range,fsync,fdatasync,$rename $inject \
		"$TWINDEX" rm -r d --yes >"$T/out" 2>"$T/err" || got=$?
	sed "/$rename/,\$d" "$T/trace" >"$T/before"
	[ $got -eq "$status" ] && [ "$(ls -A d | wc -l)" -eq "$left" ] && [ "$(ls -A e | wc -l)" -eq 40 ] ||
		fail "$*: status $got, left: $(ls -A d): $(cat "$T/err" "$T/before")"
}
# each FILE...: these were written on their own.
each()
{
	for f in "$@"; do
		grep -q "fsync([0-9]*<$T/work/$f>" "$T/before" || fail "$f was not written to the disk before: $(cat "$T/trace")"
	done
}
many 0 0
if grep -q 'syncfs(' "$T/before"; then
	# The disk's own memory follows; then each copy is asked for.
	sed '1,/syncfs(/d' "$T/before" | grep -q "fsync([0-9]*<$T/work/e/" || fail "the disk was not asked: $(cat "$T/before")"
	[ "$(grep -c "sync_file_range([0-9]*<$T/work/e/" "$T/before")" -eq 39 ] || fail "not each was asked for: $(cat "$T/before")"
	grep -q "fdatasync([0-9]*<$TWINDEX_DB-acts>" "$T/before" || fail 'the journal was not written to the disk before'
	! in_turn || { many 0 0 syncfs:error=ENOSYS && each e/1 e/20 e/40 e; }
	! in_turn || { many 0 0 syncfs:error=EIO && each e/1 e/20 e/40 e; }
	! in_turn || { many 3 40 syncfs:error=EIO fsync:error=EIO && err_has 'cannot be written to the disk'; }
	! in_turn || many 3 1 sync_file_range:error=EIO:when=7
	# What is told of one is told once: it is that one which stays.
	! in_turn || many 3 1 fsync:error=EIO:when=1
	# Their directory comes last.
	! in_turn || many 3 40 syncfs:error=EIO fsync:error=EIO:when=41
	! in_turn || { many 0 0 sync_file_range:error=ENOSYS && each e/1 e/20 e/40; }
else
	each e/1 e/20 e/40 e
fi
