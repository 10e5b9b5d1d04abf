# SPDX-License-Identifier: MIT
# A run that was killed is told as killed by all that only read; one that still runs as running.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
need flock
printf 'same' >a
printf 'same' >b
scan -q .
"$SQLITE3" "$TWINDEX_DB" "UPDATE scan SET state = 'running', finished = NULL; UPDATE meta SET value = 1 WHERE key = 'pending'" ||
	fail 'sqlite3'
rm -f "$TWINDEX_DB"-wal "$TWINDEX_DB"-shm
told()
{
	run 0 info
	out_has ", $1"
	rows 'SELECT state, pid > 0 FROM scan_view'
	printf '%s\t1\n' "$1" | out || exit
	run 0 check
	out_has "$2"
}
told killed 'ok, but a scan was cut off'
(
	flock 9 || exit 99
	told running 'ok, but a scan is running'
) 9<>"$TWINDEX_DB-lock" || exit
told killed 'ok, but a scan was cut off'
# Where nobody ever wrote: a copy.
rm "$TWINDEX_DB-lock"
told killed 'ok, but a scan was cut off'
[ ! -e "$TWINDEX_DB-lock" ] || fail 'a question made a lock'

# A stranger to an index that has not met every file: nothing is proven.
printf 'other' >"$T/stranger"
printf 'some' >"$T/other"
for stranger in stranger other; do
	run 3 file "$T/$stranger"
	out_has 'unknown'
	out_lacks 'unique'
done
run 3 file --json "$T/stranger"
out_has '"unknown"'
scan -q .
run 0 info
out_has ', killed'
run 1 file "$T/stranger"
out_has 'unique'
