# SPDX-License-Identifier: MIT
# A full disk ends a scan with 6 and one message; the index keeps what it had, and goes on when there is room.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
[ -n "$PYTHON" ] || skip 'no python'
mkdir "$T/small"
mount -t tmpfs -o size=640k twindex-test "$T/small" 2>/dev/null || skip 'cannot mount here'
trap 'umount "$T/small" 2>/dev/null; cleanup' EXIT
mkdir few many
printf 'same' >few/a
printf 'same' >few/b
"$PYTHON" -S -c 'for i in range(3000): open("many/" + "n" * 240 + str(i), "w").close()'
run 0 --db "$T/small/i.db" scan --racy-window 0s few
run 6 --db "$T/small/i.db" scan many
err_has 'full'
err_has 'TWINDEX_DB names an index on another disk'
[ "$(wc -l <"$T/err")" = 1 ] || fail 'not one line'
run 0 --db "$T/small/i.db" check
run 0 --db "$T/small/i.db" report --format fdupes -c "$T/work/"
out <<'END'
few/a
few/b

END
mount -o remount,size=8m "$T/small" || skip 'cannot remount'
run 0 --db "$T/small/i.db" scan many
out_line 'files       3,000 in 1 directory, 0 B'
run 0 --db "$T/small/i.db" check
