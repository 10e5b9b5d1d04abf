# SPDX-License-Identifier: MIT
# The index, its log, its shared memory and its lock never appear in results when they lie in the tree.
. "$srcdir/tests/cli/lib.sh"

printf 'x' >x
# A journal that is there does not stand for a later one, of a longer scan.
: >my.db-journal
TWINDEX_DB=$T/work/my.db
scan .
out_line 'files       1 in 1 directory, 1 B'
scan
out_line 'files       1 in 1 directory, 1 B'
# With a reader that keeps log and shared memory alive.
if [ -n "$SQLITE3" ]; then
	mkfifo "$T/pipe"
	"$SQLITE3" my.db <"$T/pipe" >/dev/null &
	exec 9>"$T/pipe"
	echo 'BEGIN; SELECT count(*) FROM file;' >&9
	n=0
	until [ -e my.db-shm ]; do
		n=$((n + 1))
		[ $n -lt 100 ] || fail 'no shared memory'
		sleep 0.02
	done
	scan
	out_line 'files       1 in 1 directory, 1 B'
	exec 9>&-
	wait
fi
rows 'SELECT name FROM file_view'
out <<'END'
x
END
run 0 uniques -c "$T/work/"
out <<'END'
x
END
run 0 ls -c "$T/work/"
out_has '   skipped  my.db (the index itself)'
out_lacks 'unknown'
