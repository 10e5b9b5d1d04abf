# SPDX-License-Identifier: MIT
# An index of version 1, which v1.sql holds, answers as it always did and stays
# what it is while it is only read.  The first command that writes makes it one
# of the present version, with the schema of a new index, and changes no row.
# A version that is not known, or another program's file, is refused.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
[ ! -e /nonexistent ] || skip 'there is a /nonexistent'

# load FILE: make it from the dump.
load()
{
	"$SQLITE3" -batch -bail "$1" <"$srcdir/tests/sql/v1.sql" >/dev/null || fail 'the dump cannot be loaded'
}

# same_as FILE: the last run printed exactly this file.
same_as() { out <"$1"; }

load "$TWINDEX_DB"
before=$(cksum <"$TWINDEX_DB")
run 0 check
out <<'END'
ok
END

run 0 info
sed 's/^\(size  *\)[1-9].* bytes per file$/\1known/' "$T/out" >"$T/info" && mv "$T/info" "$T/out"
printf '%s\n' "index       $TWINDEX_DB" >"$T/expect"
printf '%b\n' 'format      version 1, xxh3-128' \
	'files       17 in 5 directories' \
	'size        known' \
	'duplicates  2 sets, 293.0 KiB redundant when scanned' \
	'root        /nonexistent/v1/photos  (--exclude *.tmp --exclude d?/*.o)' \
	'root        /nonexistent/v1/b\0377ck  (--no-hidden --one-file-system --trust-mtime --min-size 1 --max-size 4611686018427387904)' \
	'refresh 4   2026-11-21 03:33, interrupted after 5.0 s, 2 files' \
	'scan 3      2026-11-21 03:32, finished after 0.0 s, 4 files, 5 read' \
	'scan 2      2026-11-21 03:31, finished after 2.0 s, 13 files, 9 read, 2 errors' \
	'scan 1      2026-11-21 03:30, killed' >>"$T/expect"
same_as "$T/expect"

printf '%b\n' '2 copies of 293.0 KiB each, 293.0 KiB redundant (0 B on disk)' \
	'  /nonexistent/v1/b\0377ck/new\nline/zero2' \
	'  /nonexistent/v1/b\0377ck/zero1' \
	'' \
	'4 copies of 13 B each, 39 B redundant' \
	'  /nonexistent/v1/b\0377ck/new\nline/copy (in memory)' \
	'  /nonexistent/v1/photos/a' \
	'  /nonexistent/v1/photos/hard (link)' \
	'  /nonexistent/v1/photos/b\nc' \
	'  /nonexistent/v1/photos/d\0376/f\0377' \
	'' \
	'2 sets, 7 files, 293.0 KiB redundant (12.0 KiB on disk)' >"$T/expect"
run 3 report --no-check
same_as "$T/expect"
# A set that lies within one root: the other one's name must be found, too.
bad=$(printf '/nonexistent/v1/b\377ck')
printf '%s\0%s\0\0' "$bad/new
line/zero2" "$bad/zero1" >"$T/expect"
run 0 report --no-check -0 --min-size 1k "$bad"
same_as "$T/expect"
# None of it is there now.
run 0 report
out <<'END'
No duplicates.
7 members offline: not counted
END
# One is unreadable.
run 3 ls -c /nonexistent/v1/ /nonexistent/v1/photos
printf '%b\n' '    unique  photos/.hidden (offline: as of the last scan)' \
	'   unknown  photos/a (another copy is offline)' \
	'   unknown  photos/b\nc (another copy is offline)' \
	'    unique  photos/big1 (offline: as of the last scan)' \
	'    unique  photos/big2 (offline: as of the last scan)' \
	'     empty  photos/empty (offline: as of the last scan)' \
	'   unknown  photos/hard (another copy is offline)' \
	'    unique  photos/huge (offline: as of the last scan)' \
	'unreadable  photos/locked (Permission denied)' \
	'    unique  photos/racy (offline: as of the last scan)' \
	'   unknown  photos/shares (a file of its size could not be read)' \
	'   unknown  photos/d\0376/f\0377 (another copy is offline)' \
	'    unique  photos/shut/old (offline: as of the last scan)' >"$T/expect"
same_as "$T/expect"

rows 'SELECT path, size, allocated, inode, nlink, mtime, ctime_nsec, hash, head, racy, verified, error, quote(name_raw)
	FROM file_view ORDER BY dir_id, name'
cat >"$T/expect" <<'END'
/nonexistent/v1/photos/.hidden	1	4096	20	1	1795231868	852755907			0			NULL
/nonexistent/v1/photos/a	13	4096	21	2	1795231868	852522469	5056248d2ed7a824b0efb903b25630a2		0	1795231900		NULL
/nonexistent/v1/photos/b
c	13	4096	22	1	-2147483648	999999999	5056248d2ed7a824b0efb903b25630a2		0	1795231900		NULL
/nonexistent/v1/photos/big1	100000	102400	23	1	1795231868	852642618		445796544897586904	0			NULL
/nonexistent/v1/photos/big2	100000	102400	24	1	1795231868	852700534		2893691146694305151	0			NULL
/nonexistent/v1/photos/empty	0	0	25	1	1795231868	852755907			0			NULL
/nonexistent/v1/photos/hard	13	4096	21	2	1795231868	852522469	5056248d2ed7a824b0efb903b25630a2		0	1795231900		NULL
/nonexistent/v1/photos/huge	4611686018427387904	4096	26	1	15032385535	0		-1	0			NULL
/nonexistent/v1/photos/locked	11	4096	27	1	1795231868	852832111			0		13	NULL
/nonexistent/v1/photos/racy	9	4096	28	1	1795231868	852811876	f7841607f78e80c91bea4eb3dd4461bf		1			NULL
/nonexistent/v1/photos/shares	11	4096	29	1	1795231868	852851088	cb5069de9d80de72d1093ffb202d3ce5		0			NULL
/nonexistent/v1/photos/d\xfe/f\xff	13	4096	-1	1	1795231868	852555264	5056248d2ed7a824b0efb903b25630a2		0	1795231900		X'66FF'
/nonexistent/v1/b\xffck/alone	13	4096	21	1	1795231868	853370617	42f2d39b5c3baec5d57f28799cf57fd3		0			NULL
/nonexistent/v1/b\xffck/zero1	300000	303104	30	1	1795231868	852885740	901015dbb613680727d012f023b83f90	7934589410308628835	0			NULL
/nonexistent/v1/b\xffck/new
line/copy	13	4096	31	1	1795231868	853346571	5056248d2ed7a824b0efb903b25630a2		0			NULL
/nonexistent/v1/b\xffck/new
line/zero2	300000	0	32	1	1795231868	853187254	901015dbb613680727d012f023b83f90	7934589410308628835	0			NULL
/nonexistent/v1/photos/shut/old	2	4096	33	1	1700000000	0			0			NULL
END
same_as "$T/expect"
rows 'SELECT dir_id, path, parent_id, top_id, depth, volume_id, inode, quote(error) FROM dir_view ORDER BY dir_id'
out <<'END'
2	/nonexistent/v1/photos	0	2	0	1	2	NULL
3	/nonexistent/v1/photos/d\xfe	2	2	1	1	9007199254740993	NULL
4	/nonexistent/v1/b\xffck	0	4	0	2	-2	NULL
5	/nonexistent/v1/b\xffck/new
line	4	4	1	2	12	NULL
6	/nonexistent/v1/photos/shut	2	2	1	1	13	13
END
rows 'SELECT * FROM root_view ORDER BY root_id'
out <<'END'
2	/nonexistent/v1/photos	1	0	0	9223372036854775807	0	2
3	/nonexistent/v1/b\xffck	0	1	1	4611686018427387904	1	3
END
rows 'SELECT * FROM volume_view ORDER BY volume_id'
out <<'END'
1	ext4:0011223344556677	ext4
2	tmpfs:tmpfs /nonexistent/v1	tmpfs
END
# It has no such view, and sql has it all the same.
rows 'SELECT dir_id, why FROM fleeting_view ORDER BY dir_id'
out <<'END'
4	memory
5	memory
END
rows 'SELECT scan_id, files, bytes, sets, redundant, state FROM scan_view ORDER BY scan_id'
out <<'END'
1					killed
2	13	4611686018427588096			finished
3	4	600026	2	300039	finished
4	2	26			interrupted
END

run 0 marks
out <<'END'
No marks.
END
run 3 scan -n --racy-window 0s
[ "$before" = "$(cksum <"$TWINDEX_DB")" ] || fail 'what only reads has changed the index'

# The rows of the two roots, but for what a scan may learn of a file that it can't read.
old_rows()
{
	"$SQLITE3" -batch -bail -readonly "$TWINDEX_DB" "SELECT dir, quote(name), quote(name_raw), size, blocks, volume, inode,
		nlink, mtime, mtime_nsec, ctime, ctime_nsec, head, quote(hash), racy, verified FROM file WHERE dir <= 6 ORDER BY 1, 2;
		SELECT id, parent, quote(name), quote(name_raw), volume, inode FROM dir WHERE id <= 6 ORDER BY 1;
		SELECT id, dir, hidden, one_fs, trust_mtime, min_size, max_size FROM root WHERE dir <= 6 ORDER BY 1;
		SELECT root, position, quote(pattern) FROM root_exclude ORDER BY 1, 2" || fail 'the index cannot be read'
}
old_stay()
{
	old_rows >"$T/after"
	diff -u "$T/before" "$T/after" || {
		show_run
		fail "$1: rows of the other roots have changed"
	}
}
old_rows >"$T/before"
run 1 mark undo
run 0 info
out_has 'format      version 6, xxh3-128'
old_stay 'the upgrade'

# A new root with the same contents joins their sets: the hashes are the same ones.
mkdir new
printf 'same content\n' >new/same
head -c 300000 /dev/zero >new/zero
head -c 100000 /dev/zero | tr '\0' 3 >new/three
printf 'one of a kind' >new/kind
scan new
old_stay 'a scan of a new root'
rows "SELECT name, hash, head, racy FROM file_view WHERE dir_id > 6 ORDER BY name"
out <<'END'
kind	42f2d39b5c3baec5d57f28799cf57fd3		0
same	5056248d2ed7a824b0efb903b25630a2		0
three		-5469149886815825822	0
zero	901015dbb613680727d012f023b83f90	7934589410308628835	0
END
rows 'SELECT size, hash, copies, names, redundant FROM set_view ORDER BY size, hash'
out <<'END'
13	42f2d39b5c3baec5d57f28799cf57fd3	2	2	13
13	5056248d2ed7a824b0efb903b25630a2	5	6	52
300000	901015dbb613680727d012f023b83f90	3	3	600000
END
run 0 check
run 0 report --no-check --format fdupes --min-size 1k
old='/nonexistent/v1/b\0377ck/new\nline/zero2\n/nonexistent/v1/b\0377ck/zero1' new=$T/work/new/zero
# In the order of paths.
if expr "x$new" '<' x/nonexistent >/dev/null; then set -- "$new" "$old"; else set -- "$old" "$new"; fi
printf '%b\n' "$@" '' >"$T/expect"
same_as "$T/expect"

# The old roots are not there: a scan of all says so and keeps what it has.
run 3 scan --racy-window 0s
err_has '/nonexistent/v1/photos'
err_has '/nonexistent/v1/b\xffck'
old_stay 'a scan of all roots'
run 3 refresh
old_stay 'a refresh'

# The schema, once upgraded, is that of a new index.
run 0 --db "$T/new.db" scan -q new
schema "$TWINDEX_DB" >"$T/schema1"
schema "$T/new.db" >"$T/schema"
diff -u "$T/schema1" "$T/schema" || fail 'a new index has another schema than an upgraded one'

# refused TEXT PRAGMA...: with this pragma all commands exit with 5 and leave the file as it is.
refused()
{
	rm -f "$T/v1.db"*
	load "$T/v1.db"
	"$SQLITE3" -batch -bail "$T/v1.db" "$2" >/dev/null || fail "$2"
	cp "$T/v1.db" "$T/copy.db"
	for command in info check report marks 'mark undo' sql\ select\ 1 'scan new' scan 'refresh' 'forget new' 'ls new' 'file new/same' dups uniques; do
		in_turn || continue
		# shellcheck disable=SC2086
		run 5 --db "$T/v1.db" $command
		err_has "$1"
		cmp "$T/v1.db" "$T/copy.db" || fail "after $2, $command has changed the file"
	done
	[ ! -s "$T/v1.db-wal" ] || fail "after $2, something was written to the log"
}
refused 'version 7' 'PRAGMA user_version = 7'
refused 'version 2147483647' 'PRAGMA user_version = 2147483647'
refused 'version 0' 'PRAGMA user_version = 0'
refused 'version -1' 'PRAGMA user_version = -1'
refused "another program's database" 'PRAGMA application_id = 1'
refused "another program's database" 'PRAGMA application_id = 0'
refused "another program's database" 'PRAGMA application_id = 0; PRAGMA user_version = 0'

# What is not there may be a copy: files of the size and head of others that were never read.
printf 'x' >new/one
head -c 100000 /dev/zero | tr '\0' 1 >new/big
got=0
"$TWINDEX" scan --racy-window 0s new >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 0 ] || [ $got -eq 3 ] || fail "the scan of files whose like is not there exits with $got"
old_stay 'a scan that wants to read files of a root that is not there'
run 0 check
for name in one big; do
	run 3 file -c "$T/work/" "new/$name"
	out_has "unknown  new/$name"
done
