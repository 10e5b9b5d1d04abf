# SPDX-License-Identifier: MIT
# An index on a full disk answers as before.  What a killed writer left in its log is never passed over:
# as long as that can't be read, there is no answer but why.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
[ -n "$PYTHON" ] || skip 'no python'
mkdir "$T/small"
mount -t tmpfs -o size=640k twindex-test "$T/small" 2>/dev/null || skip 'cannot mount here'
trap 'umount "$T/small" 2>/dev/null; cleanup' EXIT
TWINDEX_DB=$T/small/i.db
mkdir d
printf 'same' >d/a
printf 'same' >d/b
printf 'other' >d/c
scan d
run 0 info
cp "$T/out" "$T/info"

fill()
{
	dd if=/dev/zero of="$T/small/fill" bs=4096 2>/dev/null
	[ "$(stat -f -c %a "$T/small")" = 0 ] || skip 'the disk is not full'
}
fill
run 0 info
out <"$T/info"
run 0 report --format fdupes -c "$T/work/"
out <<'END'
d/a
d/b

END
run 0 uniques -c "$T/work/" d
out <<'END'
d/c
END
run 0 dups -c "$T/work/" d
run 0 file d/a
run 0 ls d
run 0 check
rows 'SELECT count(*) FROM file_view'
out <<'END'
3
END
# The one that writes is not kept from saying why it can't.
run 6 scan d
err_has 'full'
run 0 info
rm "$T/small/fill"
scan d

# A log with a change in it, and nobody who has it open.
"$PYTHON" -S - "$TWINDEX_DB" <<'END' || fail 'no log'
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA wal_autocheckpoint = 0")
db.execute("DELETE FROM file WHERE name = 'a'")
db.commit()
os._exit(0)
END
[ -s "$TWINDEX_DB-wal" ] || fail 'the log is empty'
rm "$TWINDEX_DB-shm"
fill
for command in info report check; do
	run 6 $command
	err_has "i.db-wal', can't be read while the disk is full"
	out </dev/null
done
[ -s "$TWINDEX_DB-wal" ] || fail 'the log was emptied'
rm "$T/small/fill"
rows "SELECT name FROM file_view ORDER BY name"
out <<'END'
b
c
END
