-- Invariants: each statement returns rows only where one is broken: its table with what is wrong
-- there, and of an example the size, the directory and the name.

-- Two inodes of one size: both hashed, or proven different by their heads, or one is known to be unreadable.
-- Of files of :size and more, which a scan has compared.
-- name: check_unproven plan=scan,sort
SELECT 'file: another inode has this size, and one of them was not read', size, min(dir), min(name) FROM file
 WHERE size >= coalesce(:size, 1) AND error IS NULL
 GROUP BY size
HAVING count(DISTINCT volume || ':' || inode) > 1 AND sum(hash IS NULL AND head IS NULL) > 0;

-- name: check_unproven_head plan=scan,sort
SELECT 'file: another inode has this size and head, and one of them has no hash', size, min(dir), min(name) FROM file
 WHERE size >= coalesce(:size, 1) AND error IS NULL AND head IS NOT NULL
 GROUP BY size, head
HAVING count(DISTINCT volume || ':' || inode) > 1 AND sum(hash IS NULL) > 0;

-- Equal contents have equal heads.
-- name: check_head plan=scan,sort
SELECT 'file: equal hashes, different heads', size, min(dir), min(name) FROM file
 WHERE hash IS NOT NULL AND head IS NOT NULL
 GROUP BY size, hash HAVING min(head) <> max(head);

-- The names of one inode tell the same story.
-- name: check_links plan=scan,sort
SELECT 'file: names of one inode, different hashes', size, min(dir), min(name) FROM file
 WHERE nlink > 1 AND hash IS NOT NULL
 GROUP BY volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec
HAVING min(hash) <> max(hash) LIMIT 20;

-- Every file lies in a directory.
-- name: check_file_dir plan=scan
SELECT 'file: its directory is not in dir', size, dir, name FROM file WHERE dir NOT IN (SELECT id FROM dir) LIMIT 20;

-- Every directory hangs on a top.
-- name: check_dir_parent plan=scan
SELECT 'dir: its parent is not in dir', 0, id, name FROM dir
 WHERE parent > 0 AND parent NOT IN (SELECT id FROM dir) LIMIT 20;

-- And no directory lies in itself.
-- name: check_dir_cycle plan=scan
WITH RECURSIVE tree (id) AS (
	SELECT id FROM dir WHERE parent <= 0
	UNION
	SELECT d.id FROM tree t JOIN dir d ON d.parent = t.id)
SELECT 'dir: it lies in itself', 0, id, name FROM dir WHERE id NOT IN (SELECT id FROM tree) LIMIT 20;

-- Directories whose place another one took are dropped at the end of a scan.
-- name: check_aside plan=scan
SELECT 'dir: another one took its place, and it was not dropped', 0, id, name FROM dir WHERE parent < 0 LIMIT 20;

-- No path twice: where tops lie in one another, no two directories are the same.
-- name: check_path_twice plan=scan,sort
WITH RECURSIVE tree (id, path) AS (
	SELECT id, CASE name WHEN '/' THEN '' ELSE coalesce(name_raw, name) END FROM dir
	 WHERE parent = 0 AND (SELECT count(*) FROM dir WHERE parent = 0) > 1
	UNION
	SELECT d.id, t.path || '/' || coalesce(d.name_raw, d.name) FROM tree t JOIN dir d ON d.parent = t.id)
SELECT 'dir: another row has the same path', 0, max(id), path FROM tree GROUP BY path HAVING count(*) > 1 LIMIT 20;

-- No file is its own link: twice in the index under one path.
-- name: check_own_link plan=scan,sort
WITH RECURSIVE tree (id, path) AS (
	SELECT id, CASE name WHEN '/' THEN '' ELSE coalesce(name_raw, name) END FROM dir
	 WHERE parent = 0 AND (SELECT count(*) FROM dir WHERE parent = 0) > 1
	UNION
	SELECT d.id, t.path || '/' || coalesce(d.name_raw, d.name) FROM tree t JOIN dir d ON d.parent = t.id),
twin (one, other) AS (SELECT min(id), max(id) FROM tree GROUP BY path HAVING count(*) > 1)
SELECT 'file: another row has the same path', f.size, f.dir, f.name
  FROM twin t JOIN file f ON f.dir = t.one JOIN file g ON g.dir = t.other AND g.name = f.name LIMIT 20;

-- Names are names.
-- name: check_name plan=scan
SELECT 'file: the name is not a file name', size, dir, name FROM file
 WHERE name = '' OR name IN ('.', '..') OR instr(CAST(name AS BLOB), x'00') > 0
    OR (name_raw IS NULL AND instr(name, '/') > 0) OR (name_raw IS NOT NULL AND instr(name_raw, x'2f') > 0) LIMIT 20;

-- Numbers are in range.
-- name: check_range plan=scan
SELECT 'file: a number is out of range', size, dir, name FROM file
 WHERE size < 0 OR blocks < 0 OR nlink < 0 OR mtime_nsec NOT BETWEEN 0 AND 999999999
    OR ctime_nsec NOT BETWEEN 0 AND 999999999 OR racy NOT IN (0, 1)
    OR volume NOT IN (SELECT id FROM volume) LIMIT 20;

-- Roots are directories.
-- name: check_root plan=scan
SELECT 'root: its directory is not in dir', 0, dir, '' FROM root WHERE dir NOT IN (SELECT id FROM dir) LIMIT 20;

-- A digest vouches for rows that need no second look.
-- name: check_digest plan=scan
SELECT 'file: its directory has a digest, and yet it must be looked at', f.size, f.dir, f.name FROM file f JOIN dir d ON d.id = f.dir
 WHERE d.digest IS NOT NULL AND ((f.racy = 1 AND (f.hash IS NOT NULL OR f.head IS NOT NULL)) OR f.error IS NOT NULL) LIMIT 20;

-- A partial index has as many entries as rows belong in it: integrity_check compares these numbers
-- in SQLite 3.40, but not in 3.51 and 3.54.  It looks for the entry of each row, so that one too many
-- is of a row that is gone, or was another.  Rows are counted without WHERE: with one, SQLite may
-- take the index in spite of NOT INDEXED, for the table has no rowid.  file_unread and file_error
-- lack the column of their WHERE, so that SQLite looks up the row and passes over an entry whose row
-- is gone: here as in every answer, until a row has that name again.
-- name: check_entries plan=scan
WITH rows (hashed, unread, errors) AS MATERIALIZED (SELECT count(hash), count(*) - count(hash), count(error) FROM file)
SELECT 'file_content' FROM rows
 WHERE hashed <> (SELECT count(*) FROM file INDEXED BY file_content WHERE hash IS NOT NULL)
UNION ALL
SELECT 'file_unread' FROM rows
 WHERE unread <> (SELECT count(*) FROM file INDEXED BY file_unread WHERE hash IS NULL)
UNION ALL
SELECT 'file_error' FROM rows
 WHERE errors <> (SELECT count(*) FROM file INDEXED BY file_error WHERE error IS NOT NULL);

-- SQLite's own: pages, order, constraints, indexes against tables.
-- name: check_integrity
PRAGMA integrity_check(20);
