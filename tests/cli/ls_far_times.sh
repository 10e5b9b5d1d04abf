# SPDX-License-Identifier: MIT
# Times whose nanoseconds do not fit into 64 bits are shown, sorted and told apart like all others.
. "$srcdir/tests/cli/lib.sh"

for at in 2250-05-01 2300-05-01 2400-05-01; do
	printf 'same' >$at
	touch -d "$at 12:34:56" $at 2>/dev/null || skip 'no such times here'
	[ "$(stat -c %y $at)" = "$at 12:34:56.000000000 +0000" ] || skip 'no such times on this file system'
done
scan .
run 0 ls -l -c "$T/work/"
out_line '       dup         4 B       2         8 B  2250-05-01 12:34  2250-05-01'
out_line '       dup         4 B       2         8 B  2300-05-01 12:34  2300-05-01'
out_line '       dup         4 B       2         8 B  2400-05-01 12:34  2400-05-01'
run 0 ls --json 2400-05-01
out_has '"mtime_ns":"13579965296000000000","mtime":"2400-05-01T12:34:56.000000000Z"'
run 0 ls --sort time --format null .
tr '\0' '\n' <"$T/out" | sed 's,.*/,,' >"$T/order"
printf '%s\n' 2400-05-01 2300-05-01 2250-05-01 | cmp - "$T/order" || fail 'not in the order of times'
# What is kept by its time alone is another file when that changes.
printf 'alone' >unread
touch -d '2300-05-01' unread
scan .
run 0 mark keep unread
run 0 marks
out_lacks 'stale'
touch -d '2400-05-01' unread
scan .
run 0 marks
out_has 'stale'
