# SPDX-License-Identifier: MIT
# diff of a first scan that met many directories: its time grows with their number, not with the square of it.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
mkdir d
printf 'a' >d/a
scan d
# With the square it would be a minute and more; so it is a fraction of a second.
"$SQLITE3" "$TWINDEX_DB" "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
	INSERT INTO dir (id, parent, name, volume, inode) SELECT i, 1, 'd' || i, 1, 1000 + i FROM n;
	INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	SELECT d.id, f.name, NULL, 1, 8, 1, 70000 + d.id, 1, 1, 0, 1, 0, NULL, NULL, 0, NULL, NULL
	FROM dir d JOIN file f ON f.dir = 1 WHERE d.id > 1" || fail "sqlite3"
(ulimit -t 15 && run 1 diff 0 && out_line "    new  $T/work/d/  (60,000 files, 58.6 KiB)") || fail 'diff took too long'
