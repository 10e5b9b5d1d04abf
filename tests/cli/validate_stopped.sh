# SPDX-License-Identifier: MIT
# validate that is stopped, by a signal, by --max-time or by kill, has done what it did, and the next run goes on there.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
printf 'same' >a
printf 'same' >b
# Quickly read by a scan, for they are holes, and slowly by validate when the hole has ended.
truncate -s 400G big 2>/dev/null || skip 'no files of this size here'
scan -q .
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET hash = zeroblob(16) WHERE name = 'big'"

# Until it reads the large file.
begin()
{
	"$TWINDEX" validate "$@" >"$T/out" 2>"$T/err" &
	pid=$!
	until ls -l "/proc/$pid/fd" "/proc/$pid/task/"*/fd 2>/dev/null | grep -q '/big$'; do
		kill -0 $pid 2>/dev/null || fail 'it is over already'
		sleep 0.05
	done
}

# Until it has hashed that for a while: it opens some files at once before it reads the first.
work()
{
	# Behind the name the 12th number is the processor's time, in hundredths of a second.
	until [ "$(sed 's/.*) //' "/proc/$pid/stat" | cut -d ' ' -f 12)" -ge 10 ]; do
		kill -0 $pid 2>/dev/null || fail 'it is over already'
		sleep 0.05
	done
}

begin --max-time 1s
# For that time it need not be busy.
kill -STOP $pid
sleep 1
kill -CONT $pid
got=0
wait $pid || got=$?
[ $got -eq 3 ] || fail "exit status $got after --max-time"
out_line 'left        1 file, 400.0 GiB: the next run goes on there'
out_line 'fine        2 files, 8 B'
run 0 info
out_line 'validated   2 of 3 files .*'
out_has 'validate 2  '

begin
work
kill -INT $pid
got=0
wait $pid || got=$?
[ $got -eq 130 ] || fail "exit status $got"
out_line 'left        1 file, .*'
# What was found to be corrupt by then is told, and its copies have not been read: nothing is said of them.
mkdir d
mv a d
scan -q d
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET hash = zeroblob(16) WHERE name IN ('a', 'b')"
begin d big
work
kill -INT $pid
wait $pid
out_line "   corrupt: $T/work/d/a .*"
out_line '      good: not known: 1 copy was not read'
# So has one that is killed; it keeps what it wrote, and nobody's way.
begin
kill -9 $pid
wait $pid 2>/dev/null
run 0 info
out_line 'validate .* killed'
rm big
run 1 validate
out_has "gone: $T/work/big"
run 0 check
