# SPDX-License-Identifier: MIT
# A signal ends a question whose answer takes long, also where no row comes.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
printf 'x' >x
scan .
"$SQLITE3" "$TWINDEX_DB" "INSERT INTO file (dir, name, size, volume, inode, ctime, ctime_nsec, hash)
	WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
	SELECT 1, 'n' || i, i % 7, 1, i, 1, 1, randomblob(16) FROM n" || fail 'no rows'
"$TWINDEX" check >"$T/out" 2>"$T/err" &
pid=$!
n=0
until ls -l /proc/$pid/fd 2>/dev/null | grep -q "$TWINDEX_DB$" || [ $((n += 1)) -gt 20 ]; do
	sleep 0.01
done
kill -TERM $pid 2>/dev/null || skip 'it was done already'
wait $pid
status=$?
[ $status -eq 143 ] || fail "status $status instead of 143"
