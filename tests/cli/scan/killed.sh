# SPDX-License-Identifier: MIT
# kill -9 at any point: the earlier answers stand, check passes, and the next scan equals a fresh one.
. "$srcdir/tests/cli/lib.sh"

mkdir old
printf 'early' >old/a
printf 'early' >old/b
d=0
while [ $d -lt 20 ]; do
	mkdir -p "new/$d"
	i=0
	while [ $i -lt 60 ]; do
		printf 'content %s' $((i * d % 97)) >"new/$d/f$i"
		i=$((i + 1))
	done
	d=$((d + 1))
done
scan .
run 0 ls
cp "$T/out" "$T/ls"
run 0 report --format fdupes
cp "$T/out" "$T/report"
cut_off=0
for pause in 0 0.005 0.01 0.015 0.02 0.03 0.04 0.06; do
	in_turn || continue
	rm "$TWINDEX_DB"*
	scan old
	"$TWINDEX" -q scan --racy-window 0s . 2>/dev/null &
	sleep $pause
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	[ $? -ne 137 ] || cut_off=$((cut_off + 1))
	run 0 check
	run 0 ls -c "$T/work/" old
	out <<'END'
       dup  old/a
       dup  old/b
END
	scan .
	run 0 check
	out <<'END'
ok
END
	run 0 ls
	out <"$T/ls"
	run 0 report --format fdupes
	out <"$T/report"
done
[ $cut_off -gt 0 ] || skip 'every scan was done before it was killed'
