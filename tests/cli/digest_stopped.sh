# SPDX-License-Identifier: MIT
# digest that is stopped, by a signal or by --max-time, has kept what it computed, and the next run goes on there.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libgcrypt [0-9]' || skip 'built without libgcrypt'
printf 'small' >a
printf 'file' >b
# Quickly made, and slowly digested, for its holes are.
truncate -s 400G big 2>/dev/null || skip 'no files of this size here'
scan -q .

run 3 digest --racy-window 0s --max-time 300ms
out_line 'computed    2 files, 9 B'
out_line 'left        1 file, 400.0 GiB: the next run goes on there'
run 3 digest --list
[ "$(wc -l <"$T/out")" -eq 2 ] || fail 'not what was computed'

"$TWINDEX" digest --force >"$T/out" 2>"$T/err" &
pid=$!
# Behind the name the 12th number is the processor's time, in hundredths of a second.
until [ "$(sed 's/.*) //' "/proc/$pid/stat" | cut -d ' ' -f 12)" -ge 10 ]; do
	kill -0 $pid 2>/dev/null || fail 'it is over already'
	sleep 0.05
done
kill -INT $pid
got=0
wait $pid || got=$?
[ $got -eq 130 ] || fail "exit status $got"
out_line 'computed    2 files, 9 B'
out_line 'left        1 file, 400.0 GiB.*'
rm big
scan -q .
run 0 digest --racy-window 0s
out_line 'known       2 files, 9 B'
run 0 info
out_has 'digest 3  '
out_has 'interrupted'
run 0 check
