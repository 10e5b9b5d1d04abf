# SPDX-License-Identifier: MIT
# An index that may not be read is an error of one line; one that may not be written can still be asked.
. "$srcdir/tests/cli/lib.sh"

mkdir "$T/dir"
TWINDEX_DB=$T/dir/i.db
printf 'same' >a
printf 'same' >b
ordinary
scan .
# A file beside it that is another user's is named, and why.
if [ -n "$as" ]; then
	: >"$TWINDEX_DB-wal"
	: >"$TWINDEX_DB-shm"
	chmod 666 "$TWINDEX_DB-wal"
	chmod 444 "$TWINDEX_DB-shm"
	run 6 validate
	err_has "'$TWINDEX_DB-shm': Permission denied"
	rm -f "$TWINDEX_DB-wal" "$TWINDEX_DB-shm"
fi
$as chmod 400 "$TWINDEX_DB"
$as chmod 500 "$T/dir"
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
b

END
run 6 scan
err_has 'Permission denied'
$as chmod 000 "$TWINDEX_DB"
run 6 report
err_has 'Permission denied'
[ "$(wc -l <"$T/err")" = 1 ] || fail 'not one line'
