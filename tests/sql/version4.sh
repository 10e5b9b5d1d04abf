# SPDX-License-Identifier: MIT
# An index of version 4, which v1.sql to v4.sql hold, answers as it always did.
# The first command that writes makes it one of the present version: all views and answers stay.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
[ ! -e /nonexistent ] || skip 'there is a /nonexistent'
cat "$srcdir/tests/sql/v1.sql" "$srcdir/tests/sql/v2.sql" "$srcdir/tests/sql/v3.sql" "$srcdir/tests/sql/v4.sql" |
	"$SQLITE3" -batch -bail "$TWINDEX_DB" >/dev/null || fail 'the dump cannot be loaded'

run 0 info
out_line 'format      version 4, xxh3-128'
run 0 check
rows 'SELECT *, 0 FROM volume_view ORDER BY volume_id'
out <<'END'
1	ext4:0011223344556677	ext4	old/xFFdisk	1000000000000	250000000000	1795232100	/nonexistent/v1	0
2	tmpfs:tmpfs /nonexistent/v1	tmpfs						0
END
rows 'SELECT scan_id, path, dir_id, name, quote(name_raw), size, volume_id, inode, mtime, mtime_nsec, hash, head, left_out, 0
	FROM before_view ORDER BY scan_id, dir_id, name'
out <<'END'
4	/nonexistent/v1/photos/a	2	a	NULL	12	1	21	1795230000	852494305	5056248d2ed7a824b0efb903b25630a2			0
4	/nonexistent/v1/photos/fresh	2	fresh	NULL									0
4		8	was/xFF	X'776173FF'	100000	1	30	1795231868	852642618		445796544897586904		0
END


# All of its views, and what commands say of it.
answers()
{
	for view in file dir set dup root scan volume mark before; do
		"$SQLITE3" -batch -bail -readonly "$TWINDEX_DB" "SELECT '$view', quote(v.path) FROM (SELECT 1 AS path) v;
			SELECT * FROM ${view}_view ORDER BY 1, 2, 3" || fail "$view""_view cannot be read"
	done
	"$SQLITE3" -batch -bail -readonly "$TWINDEX_DB" "SELECT path, quote(name_raw), mtime, mtime_nsec, ctime, ctime_nsec, allocated, racy, nlink
		FROM file_view ORDER BY 1" || fail 'the rows cannot be read'
	for command in 'report --no-check --format json' 'ls --format json /nonexistent/v1' 'redundant --format json' \
		'marks -c' 'check' 'log'; do
		# shellcheck disable=SC2086 # words
		"$TWINDEX" $command 2>&1
		echo "$command: $?"
	done
}
answers >"$T/before"
grep -q '^mark|' "$T/before" || grep -q 'ls --no-check' "$T/before" || fail 'nothing was asked'

# What it lacks sql has all the same, and the first command that writes makes.
fleeting='SELECT dir_id, why FROM fleeting_view ORDER BY dir_id'
rows "$fleeting"
out <<'END'
4	memory
5	memory
END
! "$SQLITE3" -readonly "$TWINDEX_DB" "$fleeting" >/dev/null 2>&1 || fail 'what only reads has made a view'
# A dry run writes rows and takes them back: it leaves the version alone.
run 3 scan -q --dry-run
run 0 info
out_line 'format      version 4, xxh3-128'
answers | diff -u "$T/before" - || fail 'a dry run has changed something'
run 1 mark redo
run 0 info
out_line 'format      version 6, xxh3-128'
answers | diff -u "$T/before" - || fail 'the upgrade has changed answers'
rows "$fleeting"
"$SQLITE3" -readonly -separator "$(printf '\t')" "$TWINDEX_DB" "$fleeting" | cmp - "$T/out" || fail 'what writes makes another view'

# The schema is that of a new index.
schema_is_new 'a new index has another schema than an upgraded one'
