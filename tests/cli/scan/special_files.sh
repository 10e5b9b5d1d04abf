# SPDX-License-Identifier: MIT
# FIFOs and sockets are counted, never opened, and nothing hangs.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
need mkfifo timeout
mkfifo fifo
"$PYTHON" -S -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")' || skip 'no sockets here'
printf x >file
timeout 20 "$TWINDEX" scan . >"$T/out" 2>"$T/err" || fail "exit status $?"
out_line 'files       1 in 1 directory, 1 B'
out_line 'skipped     2 special files'
timeout 20 "$TWINDEX" file fifo socket >"$T/out" 2>"$T/err"
[ $? -eq 1 ] || fail 'file on special files'
out <<END
   skipped  $T/work/fifo (not a regular file)
   skipped  $T/work/socket (not a regular file)
END
timeout 20 "$TWINDEX" hash fifo >"$T/out" 2>"$T/err"
[ $? -eq 3 ] || fail "hash of a FIFO"
# A file that became a FIFO of the same name.
rm file
mkfifo file
timeout 20 "$TWINDEX" ls . >"$T/out" 2>"$T/err" || fail 'ls'
out_has "  $T/work/file"
timeout 20 "$TWINDEX" scan . >"$T/out" 2>"$T/err" || fail 'scan again'
out_line 'skipped     3 special files'
