# SPDX-License-Identifier: MIT
# A scan at work names itself to the second one.
. "$srcdir/tests/cli/lib.sh"

truncate -s 400G big1 big2 2>/dev/null || skip 'no files of this size here'
pid=
trap 'kill -9 $pid 2>/dev/null; cleanup' EXIT
"$TWINDEX" -q scan . &
pid=$!
n=0
until [ -s "$TWINDEX_DB-lock" ]; do
	n=$((n + 1))
	[ $n -lt 100 ] || fail 'no lock'
	sleep 0.05
done
run 4 scan .
err_has "process $pid on "
kill $pid
wait $pid
rm big1 big2
run 0 scan .
