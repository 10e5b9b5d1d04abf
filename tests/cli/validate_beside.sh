# SPDX-License-Identifier: MIT
# While validate reads, others write: scans run, what they change is not judged, and only another validate has to wait.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
need flock
printf 'same' >a
cp a b
# Slowly read, for it is one long hole.
truncate -s 400G big 2>/dev/null || skip 'no files of this size here'
scan -q .
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET hash = zeroblob(16) WHERE name = 'big'"

# begin: validate until it reads the large file.
begin()
{
	"$TWINDEX" validate >"$T/validated" 2>&1 &
	held=$!
	until ls -l "/proc/$held/fd" "/proc/$held/task/"*/fd 2>/dev/null | grep -q '/big$'; do
		kill -0 $held 2>/dev/null || fail 'it is over already'
		sleep 0.05
	done
}
# It looks every 2 s at what others have done: until then it need not be busy.
doze()
{
	kill -STOP $held
	sleep 2
	kill -CONT $held
}
# end SIGNAL STATUS
end()
{
	kill -$1 $held
	got=0
	wait $held 2>/dev/null || got=$?
	held=
	[ $got -eq "$2" ] || fail "exit status $got after $1 instead of $2"
}
good() { "$SQLITE3" -readonly "$TWINDEX_DB" 'SELECT count(*) FROM validated WHERE good IS NOT NULL'; }

begin
run 0 info
out_line 'validate .* running'
# What was read is kept long before the end.
doze
until [ "$(good)" = 2 ]; do
	kill -0 $held || fail 'it has ended'
	sleep 0.1
done
# Others write, and their runs do not end that of validate; nor does it keep anything from them.
mkdir d
cp a d/c
scan .
run 0 mark drop d/c
run 0 rm --marked --yes
run 0 info
out_line 'validate .* running'
out_has ', finished after '
# One at a time.
run 4 validate a
err_has 'another process validates the index'
run 0 info
out_line 'validate .* running'
end INT 130
run 0 info
out_line 'validate .* interrupted.*'
run 0 validate a b

# What was found before a signal is written when another process that writes just then is done.
"$SQLITE3" "$TWINDEX_DB" 'DELETE FROM validated'
begin
exec 9>>"$TWINDEX_DB-lock"
flock 9
kill -INT $held
sleep 0.2
exec 9>&-
end 0 130
[ "$(good)" = 2 ] || fail 'what was found before a signal is not remembered'
run 0 info
out_line 'validate .* interrupted.*'

# A row that another process changes meanwhile is neither judged nor written, whenever it comes to that.
"$SQLITE3" "$TWINDEX_DB" 'DELETE FROM validated'
begin
exec 9>>"$TWINDEX_DB-lock"
flock 9
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET own_mtime = mtime + 1 WHERE name = 'a'"
exec 9>&-
doze
until [ "$(good)" -ge 1 ]; do
	kill -0 $held || fail 'it has ended'
	sleep 0.1
done
inode=$(stat -c %i a)
n=$("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT count(*) FROM validated WHERE inode = $inode")
[ "$n" = 0 ] || fail 'a verdict about a row that has changed was written'

# One that is killed is told so at once, and again after the next run has begun.
end KILL 137
run 0 info
out_line 'validate .* killed'
scan
run 0 info
out_line 'validate .* killed'
run 0 validate b
