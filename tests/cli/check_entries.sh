# SPDX-License-Identifier: MIT
# check finds entries in SQLite's partial indexes that no row has (5), also with an SQLite whose
# integrity_check does not count those; --repair helps.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
i=0
while [ $i -lt 12 ]; do
	printf 'same %s' $((i % 4)) >file_$i
	i=$((i + 1))
done
printf 'alone' >alone
scan -q .

# behind INDEX SQL: an index, in $db, after SQL of which INDEX did not hear.
db=$T/broken.db
behind()
{
	cp "$TWINDEX_DB" "$db"
	# By the system's own library, whichever one the program is tried with.
	(unset LD_LIBRARY_PATH
	exec "$SQLITE3" -batch -bail "$db" "UPDATE file SET error = 5 WHERE name = 'alone';
		CREATE TABLE entries AS SELECT * FROM sqlite_schema WHERE name = '$1';
		PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = '$1'; PRAGMA writable_schema = RESET;
		$2;
		PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM entries; PRAGMA writable_schema = RESET;
		DROP TABLE entries; UPDATE dir SET digest = NULL") || fail 'sqlite3'
}

repaired()
{
	err_has " check --repair'"
	run 0 -d "$db" check --repair
	out <<-'END_OUT'
	ok
	END_OUT
	run 0 -d "$db" check
}

while IFS='|' read -r index sql; do
	behind "$index" "$sql"
	run 5 -d "$db" check
	out <<-END_OUT
	damaged: wrong # of entries in index $index
	END_OUT
	repaired
done <<'END_SQL'
file_content|DELETE FROM file WHERE name = 'file_7'
file_content|DELETE FROM file WHERE name LIKE 'file_%'
file_unread|UPDATE file SET hash = zeroblob(16) WHERE name = 'alone'
file_error|UPDATE file SET error = NULL WHERE name = 'alone'
END_SQL

# As many entries as rows, but not theirs.
for sql in "file_content|UPDATE file SET hash = zeroblob(16) WHERE name = 'file_7'" \
	"file_content|DELETE FROM file WHERE name = 'file_7'; UPDATE file SET hash = zeroblob(16) WHERE name = 'alone'" \
	"file_unread|UPDATE file SET inode = 4711 WHERE name = 'alone'"; do
	behind "${sql%%|*}" "${sql#*|}"
	run 5 -d "$db" check
	out_has " missing from index ${sql%%|*}"
	repaired
done

# What integrity_check has told is not told twice.
behind file_content "DELETE FROM file WHERE name = 'file_7'"
run 5 -d "$db" check
[ "$(grep -c . "$T/out")" -eq 1 ] || fail 'more than one line'
