# SPDX-License-Identifier: MIT
# A disk that fails while the index is read is told as that (6), not as damage.
. "$srcdir/tests/cli/lib.sh"

need strace
i=0
while [ $i -lt 400 ]; do
	printf '%s' $((i / 2)) >"a_long_name_for_a_row_of_the_table_$i"
	i=$((i + 1))
done
scan -q .
run 0 report -q --no-check
cp "$T/out" "$T/report"
pages=$(($(stat -c %s "$TWINDEX_DB") / 8192))
# Every read fails once, from the first of SQLite's on; one is from the program's own look at the file.
n=1
failed=0
told=0
while [ $n -le $((pages + 4)) ]; do
	got=0
	# LeakSanitizer cannot work under a tracer.
	ASAN_OPTIONS=detect_leaks=0 strace -o "$T/trace" -f -P "$TWINDEX_DB" -e trace=pread64 \
		-e inject=pread64:error=EIO:when=$n "$TWINDEX" report -q --no-check >"$T/out" 2>"$T/err" || got=$?
	grep -q INJECTED "$T/trace" || {
		[ -s "$T/trace" ] || skip 'no strace that can make calls fail'
		break
	}
	failed=$((failed + 1))
	ran="twindex report, read $n fails"
	# SQLite itself reads some pages twice.
	if [ $got -eq 0 ]; then
		out <"$T/report"
	else
		[ $got -eq 6 ] || {
			show_run
			fail "status $got instead of 6"
		}
		err_has 'Input/output error'
		err_lacks 'damaged'
		told=$((told + 1))
	fi
	n=$((n + (n < 8 ? 1 : 5)))
done
[ $failed -gt 0 ] || skip 'no reads were seen'
[ $told -gt 0 ] || fail 'no failure was told'
