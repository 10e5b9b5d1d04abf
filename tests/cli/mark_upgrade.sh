# SPDX-License-Identifier: MIT
# An index of version 1 is read as it is, without marks, and upgraded by the first command that marks.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
mkdir d
for f in a b; do printf 'same' >d/$f; done
scan d
"$SQLITE3" -batch -bail "$TWINDEX_DB" "
	DROP VIEW fleeting_view; DROP VIEW mark_view; DROP TABLE mark; DROP TABLE mark_log;
	DROP TABLE name_block; DROP TABLE name_place; DROP TABLE name_added; DROP INDEX file_content; DROP INDEX file_unread;
	CREATE TABLE f AS SELECT * FROM file; DROP TABLE file;
	$("$AWK" -v want=schema_file_1 -f "$srcdir/sql/embed.awk" "$srcdir/sql/schema.sql")
	INSERT INTO file SELECT dir, name, name_raw, size, blocks, volume, inode, nlink, mtime, mtime_nsec, ctime, ctime_nsec,
		head, hash, racy, verified, error FROM f;
	DROP TABLE f; CREATE INDEX file_error ON file (size) WHERE error IS NOT NULL;
	CREATE INDEX file_link ON file (volume, inode) WHERE nlink > 1; CREATE INDEX file_content ON file (size, hash);
	DROP VIEW dup_view; $("$AWK" -v want=views_dup_1 -f "$srcdir/sql/embed.awk" "$srcdir/sql/views.sql")
	DROP VIEW before_view; DROP TABLE file_before; DROP TABLE dir_before; DELETE FROM meta WHERE key = 'history_from';
	DROP VIEW volume_view; $("$AWK" -v want=views_volume_1 -f "$srcdir/sql/embed.awk" "$srcdir/sql/views.sql")
	CREATE TABLE v AS SELECT id, key, type FROM volume; DROP TABLE volume;
	$("$AWK" -v want=schema_volume_1 -f "$srcdir/sql/embed.awk" "$srcdir/sql/schema.sql")
	INSERT INTO volume SELECT * FROM v; DROP TABLE v;
	PRAGMA user_version = 1" ||
	fail 'cannot make it version 1'
before=$(cksum <"$TWINDEX_DB")
for command in ls dups report check 'file d/a' 'marks' 'sql SELECT path FROM file_view' 'ls --json'; do
	# shellcheck disable=SC2086
	run 0 $command
	out_lacks '[drop]'
done
run 0 marks --format csv
out_has 'mark,state,size'
run 0 info
out_line 'format      version 1, xxh3-128'
run 0 scan -n -q
[ "$before" = "$(cksum <"$TWINDEX_DB")" ] || fail 'reading has changed it'
run 0 mark drop d/a
run 0 info
out_line 'format      version 6, xxh3-128'
run 0 ls -c "$T/work/" d
out <<'END'
       dup  d/a [drop]
       dup  d/b
END
run 0 check
