# SPDX-License-Identifier: MIT
# A question during the first seconds of an index's first scan waits, and has an answer then.
. "$srcdir/tests/cli/lib.sh"

truncate -s 500M a b c 2>/dev/null || skip 'no files of this size here'
[ "$(stat -c %b a)" -lt 100 ] || skip 'no holes on this file system'
pid=
trap 'kill -9 $pid 2>/dev/null; cleanup' EXIT
"$TWINDEX" -q scan . &
pid=$!
until [ -e "$TWINDEX_DB" ]; do
	sleep 0.01
done
run 0 sql --no-header 'SELECT name FROM file_view ORDER BY name'
out <<'END'
a
b
c
END
run 0 check
wait $pid
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
b
c

END
