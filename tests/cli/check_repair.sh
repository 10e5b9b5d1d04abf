# SPDX-License-Identifier: MIT
# An index that lacks a part, or has another one, is refused (5) with what to do, before anything of it is used;
# check --repair makes the indexes anew of the rows.  Each third command is tried; EVERY_KIND=1: all.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
need timeout
i=0
mkdir tree
while [ $i -lt 40 ]; do
	printf 'same %s' $((i % 10)) >tree/file_$i
	i=$((i + 1))
done
scan -q tree
run 0 report --format fdupes
cp "$T/out" "$T/report"

# damaged SQL: an index after it, in $db.
db=$T/broken.db
damaged()
{
	rm -f "$db"*
	cp "$TWINDEX_DB" "$db"
	"$SQLITE3" -batch "$db" "$1" >/dev/null || fail 'sqlite3'
}

for name in dir_name file_error file_content file_unread; do
	damaged "DROP INDEX $name"
	for command in report 'scan tree' refresh 'file tree/file_1' 'sql select'; do
		in_turn || continue
		# shellcheck disable=SC2086
		run 5 -d "$db" $command
		err_has "$name"
		err_has 'check --repair'
	done
	run 5 -d "$db" check
	out_has "missing: $name"
	err_has 'check --repair'
	run 0 -d "$db" check --repair
	out <<-'END_OUT'
	ok
	END_OUT
	run 0 -d "$db" check
	run 0 -d "$db" report --format fdupes
	out <"$T/report"
	run 0 -d "$db" scan -q tree
done

# All that finds contents: a scan or a repair makes it.
damaged 'DROP INDEX file_content; DROP INDEX file_unread'
run 5 -d "$db" check
err_has 'check --repair'
run 0 -d "$db" report --format fdupes
out <"$T/report"
run 0 -d "$db" check --repair
run 0 -d "$db" check

# A first scan that was cut off before it had rows left nothing that they would find.
damaged 'DROP INDEX file_content; DROP INDEX file_unread; DELETE FROM file'
run 0 -d "$db" check

# Tables and views can't be made of anything.
for what in 'TABLE meta' 'TABLE volume' 'TABLE scan' 'TABLE mark_log' 'VIEW file_view' 'VIEW mark_view'; do
	damaged "DROP $what"
	name=${what#* }
	for command in report check 'check --repair' 'scan tree' 'sql select'; do
		in_turn || continue
		# shellcheck disable=SC2086
		run 5 -d "$db" $command
		err_has "$name"
		err_has 'new index'
	done
done

# What twindex did not make is not asked: a view may never end.
endless='WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS path FROM n'
while IFS= read -r sql; do
	damaged "$sql"
	before=$(cksum <"$db")
	for command in report check 'check --repair' 'scan tree' info marks 'sql SELECT(1)FROM(file_view)'; do
		in_turn || continue
		ran="twindex $command"
		got=0
		# shellcheck disable=SC2086
		timeout 20 "$TWINDEX" -d "$db" $command >"$T/out" 2>"$T/err" || got=$?
		[ $got -eq 5 ] || {
			show_run
			fail "exit status $got after $sql"
		}
		err_has 'not one that twindex makes'
	done
	[ "$before" = "$(cksum <"$db")" ] || fail "the index has changed: $sql"
done <<END_SQL
DROP VIEW file_view; CREATE VIEW file_view AS $endless
DROP TABLE volume; CREATE VIEW volume AS $endless
CREATE VIEW mine AS $endless
CREATE TABLE mine (x)
CREATE TRIGGER mine AFTER INSERT ON scan BEGIN DELETE FROM file; END
CREATE INDEX mine ON file (abs(size))
DROP INDEX dir_name; CREATE INDEX dir_name ON dir (parent, name)
ALTER TABLE meta ADD COLUMN x
END_SQL
# Statistics are SQLite's own.
damaged 'ANALYZE'
run 0 -d "$db" check
run 0 -d "$db" report --format fdupes
out <"$T/report"
