# SPDX-License-Identifier: MIT
# The invariants hold on a scanned index, and each is shown able to fail: by a
# row made for it alone.

[ -n "$SQLITE3" ] || { echo "no sqlite3"; exit 77; }

T=$(mktemp -d) || exit 99
trap 'rm -rf "$T"' EXIT
failed=0

mkdir "$T/tree" "$T/tree/sub"
printf same >"$T/tree/a"
printf same >"$T/tree/sub/b"
printf diff >"$T/tree/c"
ln "$T/tree/a" "$T/tree/sub/link"
head -c 100000 /dev/zero >"$T/tree/big"
{ printf x; head -c 99999 /dev/zero; } >"$T/tree/sub/big2"
: >"$T/tree/empty"
"$TWINDEX" --db "$T/index.db" scan -q "$T/tree" || exit 1

# broken FILE NAME: what the invariant says of this index.
broken()
{
	"$AWK" -v want="$2" -f "$srcdir/sql/embed.awk" "$srcdir/sql/check.sql" >"$T/statement" || exit 99
	"$SQLITE3" -batch -bail "$1" <"$T/statement" 2>&1
}

checks=$(sed -n 's/^-- name: *\(check_[a-z_]*\).*/\1/p' "$srcdir/sql/check.sql")
for check in $checks; do
	found=$(broken "$T/index.db" "$check")
	[ -z "$found" ] || [ "$check $found" = 'check_integrity ok' ] || {
		echo "$check is broken on a scanned index: $found"
		failed=1
	}
done

# fails CHECK SQL [STATUS]: after SQL the check must return a row, and twindex check must exit with STATUS, or 1.
tried=' '
fails()
{
	tried="$tried$1 "
	cp "$T/index.db" "$T/broken.db"
	"$SQLITE3" -batch -bail "$T/broken.db" "$2" || { failed=1; return; }
	[ -n "$(broken "$T/broken.db" "$1")" ] || {
		echo "$1 does not notice: $2"
		failed=1
	}
	status=0
	"$TWINDEX" --db "$T/broken.db" check >/dev/null 2>&1 || status=$?
	[ $status -eq "${3:-1}" ] || {
		echo "twindex check exits with $status instead of ${3:-1} after: $2"
		failed=1
	}
}

# A second top at the path of a directory, with a file of that.
fails check_path_twice "INSERT INTO dir (id, parent, name, volume, inode) SELECT 99, 0, path, 1, 99
	FROM dir_view WHERE path LIKE '%/sub'"
fails check_own_link "INSERT INTO dir (id, parent, name, volume, inode) SELECT 99, 0, path, 1, 99
	FROM dir_view WHERE path LIKE '%/sub';
	INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	SELECT 99, name, name_raw, size, blocks, volume, inode, nlink, mtime, mtime_nsec, ctime,
	ctime_nsec, head, hash, racy, verified, error FROM file WHERE name = 'link'"
fails check_unproven "UPDATE file SET hash = NULL WHERE name = 'c'"
fails check_unproven "UPDATE file SET hash = NULL, head = NULL WHERE name = 'big'"
fails check_unproven_head "UPDATE file SET head = 1, hash = NULL WHERE name IN ('big', 'big2')"
fails check_unproven_head "UPDATE file SET head = 1, hash = CASE name WHEN 'big' THEN zeroblob(16) END
	WHERE name IN ('big', 'big2')"
fails check_head "UPDATE file SET hash = zeroblob(16) WHERE name IN ('big', 'big2')"
fails check_links "UPDATE file SET hash = zeroblob(16) WHERE name = 'link'"
fails check_file_dir "UPDATE file SET dir = 999 WHERE name = 'empty'"
fails check_dir_parent "UPDATE dir SET parent = 999 WHERE name = 'sub'"
fails check_aside "UPDATE dir SET parent = -1 WHERE name = 'sub'"
fails check_dir_cycle "UPDATE dir SET parent = id WHERE name = 'sub'"
fails check_name "UPDATE file SET name = '' WHERE name = 'empty'"
fails check_name "UPDATE file SET name = '..' WHERE name = 'empty'"
fails check_name "UPDATE file SET name = 'a/b' WHERE name = 'empty'"
fails check_name "UPDATE file SET name = CAST(x'610062' AS TEXT) WHERE name = 'empty'"
fails check_name "UPDATE file SET name_raw = x'612f62' WHERE name = 'empty'"
fails check_range "UPDATE file SET own_mtime_nsec = 1000000000 WHERE name = 'empty'"
fails check_range "UPDATE file SET ctime_nsec = -1 WHERE name = 'empty'"
fails check_range "UPDATE file SET racy = 2 WHERE name = 'empty'"
fails check_range "UPDATE file SET own_blocks = -1 WHERE name = 'empty'"
fails check_range "UPDATE file SET volume = 999 WHERE name = 'empty'"
fails check_root "UPDATE root SET dir = 999"
fails check_digest "UPDATE file SET racy = 1, error = NULL WHERE name = 'c';
	UPDATE dir SET digest = zeroblob(16)"
fails check_digest "UPDATE file SET error = 5 WHERE name = 'empty'; UPDATE dir SET digest = zeroblob(16)"

# hides INDEX SQL: SQL of which INDEX does not hear.
hides()
{
	echo "CREATE TABLE entries AS SELECT * FROM sqlite_schema WHERE name = '$1'; PRAGMA writable_schema = ON;
		DELETE FROM sqlite_schema WHERE name = '$1'; PRAGMA writable_schema = RESET; $2; PRAGMA writable_schema = ON;
		INSERT INTO sqlite_schema SELECT * FROM entries; PRAGMA writable_schema = RESET; DROP TABLE entries"
}
fails check_entries "$(hides file_content "DELETE FROM file WHERE name = 'c'")" 5
fails check_entries "$(hides file_unread "UPDATE file SET hash = zeroblob(16) WHERE name = 'empty'")" 5
fails check_entries "UPDATE file SET error = 5 WHERE name = 'c'; $(hides file_error "UPDATE file SET error = NULL WHERE name = 'c'")" 5

for check in $checks; do
	case $tried in
	*" $check "*) ;;
	*) [ "$check" = check_integrity ] || { echo "$check was never seen to fail"; failed=1; } ;;
	esac
done

# Damage is another matter: exit status 5.
cp "$T/index.db" "$T/broken.db"
page=$("$SQLITE3" "$T/broken.db" 'PRAGMA page_size')
dd if=/dev/zero of="$T/broken.db" bs=1 seek=$((page * 2)) count=64 conv=notrunc 2>/dev/null
status=0
"$TWINDEX" --db "$T/broken.db" check >/dev/null 2>&1 || status=$?
[ $status -eq 5 ] || { echo "a damaged page: twindex check exits with $status instead of 5"; failed=1; }
exit $failed
