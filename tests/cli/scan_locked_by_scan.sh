# SPDX-License-Identifier: MIT
# A scan at work names itself to the second one.
. "$srcdir/tests/cli/lib.sh"

mkfifo globs
printf 'x' >x
# It has the index open and waits for its globs.
"$TWINDEX" -q scan --exclude-from globs --exclude globs . &
pid=$!
exec 9>globs
n=0
until [ -s "$TWINDEX_DB-lock" ]; do
	n=$((n + 1))
	[ $n -lt 100 ] || fail 'no lock'
	sleep 0.05
done
run 4 scan .
err_has "process $pid on "
exec 9>&-
wait $pid || fail 'the first scan failed'
run 0 scan .
