-- The public views: what other programs may read.  Columns are only ever added.
-- Times are seconds since 1970 and a column of nanoseconds beside them.

-- name: views
-- Directories: path is valid UTF-8, bytes that are not are shown as \xHH.
CREATE VIEW dir_view AS
WITH RECURSIVE tree (id, path, root_id, depth) AS (
	SELECT id, CASE name WHEN '/' THEN '/' ELSE rtrim(name, '/') END, id, 0
	  FROM dir WHERE parent = 0
	UNION ALL
	SELECT d.id,
	       rtrim(t.path, '/') || '/' ||
	       replace(d.name, CASE WHEN d.name_raw IS NULL THEN '' ELSE '/' END, '\'),
	       t.root_id, t.depth + 1
	  FROM tree t JOIN dir d ON d.parent = t.id)
SELECT t.id AS dir_id, t.path, d.parent AS parent_id, t.root_id AS top_id, t.depth,
       d.volume AS volume_id, d.inode, d.error
  FROM tree t JOIN dir d ON d.id = t.id;

-- Every name of every indexed file.
CREATE VIEW file_view AS
SELECT rtrim(d.path, '/') || '/' ||
       replace(f.name, CASE WHEN f.name_raw IS NULL THEN '' ELSE '/' END, '\') AS path,
       f.dir AS dir_id, f.name, f.name_raw, f.size, f.blocks * 512 AS allocated,
       f.volume AS volume_id, f.inode, f.nlink,
       f.mtime, f.mtime_nsec, f.ctime, f.ctime_nsec,
       nullif(lower(hex(f.hash)), '') AS hash, f.head, f.racy, f.verified, f.error
  FROM file f JOIN dir_view d ON d.dir_id = f.dir;

-- Sets of files with equal content: at least two inodes; every inode counts once, wherever it lies.
CREATE VIEW set_view AS
SELECT size, lower(hex(hash)) AS hash,
       count(DISTINCT volume || ':' || inode) AS copies, count(*) AS names,
       size * (count(DISTINCT volume || ':' || inode) - 1) AS redundant
  FROM file
 WHERE hash IS NOT NULL AND size > 0
 GROUP BY size, file.hash
HAVING count(DISTINCT volume || ':' || inode) > 1;

-- What was scanned, and when.
CREATE VIEW root_view AS
SELECT r.id AS root_id, d.path, r.hidden, r.one_fs, r.min_size, r.max_size, r.trust_mtime,
       r.scan AS scan_id
  FROM root r JOIN dir_view d ON d.dir_id = r.dir;

CREATE VIEW scan_view AS
SELECT id AS scan_id, command, state, pid, started, finished, options, files, dirs, bytes,
       files_new, files_changed, files_gone, files_reused, files_read, bytes_read,
       files_skipped, errors, sets, redundant
  FROM scan;

-- Since version 4.
-- name: views_volume
CREATE VIEW volume_view AS
SELECT id AS volume_id, key, type, label, capacity, free, seen, place FROM volume;

-- As versions 1 to 3 have it; only to know it by.
-- name: views_volume_1
CREATE VIEW volume_view AS
SELECT id AS volume_id, key, type FROM volume;

-- name: views_dup
-- The files of the sets of set_view; not made of that and file_view, for hashes as text have no index.
CREATE VIEW dup_view AS
SELECT s.size, lower(hex(s.hash)) AS hash, s.copies, s.size * (s.copies - 1) AS redundant,
       rtrim(d.path, '/') || '/' ||
       replace(f.name, CASE WHEN f.name_raw IS NULL THEN '' ELSE '/' END, '\') AS path,
       f.dir AS dir_id, f.name, f.name_raw, f.volume AS volume_id, f.inode, f.nlink, f.mtime, f.mtime_nsec
  FROM (SELECT size, hash, count(DISTINCT volume || ':' || inode) AS copies
          FROM file WHERE hash IS NOT NULL AND size > 0 GROUP BY size, hash) AS s
  JOIN file f ON f.size = s.size AND f.hash = s.hash
  JOIN dir_view d ON d.dir_id = f.dir
 WHERE s.copies > 1;

-- As versions 1 and 2 have it; only to know it by.
-- name: views_dup_1
CREATE VIEW dup_view AS
SELECT s.size, s.hash, s.copies, s.redundant, f.path, f.dir_id, f.name, f.name_raw,
       f.volume_id, f.inode, f.nlink, f.mtime, f.mtime_nsec
  FROM set_view s JOIN file_view f ON f.size = s.size AND f.hash = s.hash;

-- A reader can't write down that a run was killed, but it can say so.
-- name: views_killed
CREATE TEMP VIEW scan_view AS
SELECT scan_id, command, CASE state WHEN 'running' THEN 'killed' ELSE state END AS state, pid, started, finished,
       options, files, dirs, bytes, files_new, files_changed, files_gone, files_reused, files_read, bytes_read,
       files_skipped, errors, sets, redundant
  FROM main.scan_view;

-- Since version 2.
-- name: views_mark
-- Decisions of mark, whether they are in effect or not; path as in file_view, path_raw its bytes.
CREATE VIEW mark_view AS
SELECT shown AS path, CASE WHEN path <> CAST(shown AS BLOB) THEN path END AS path_raw,
       decision, size, mtime_ns, nullif(lower(hex(hash)), '') AS hash, made
  FROM mark;

-- Since version 4.
-- name: views_history
-- What files were before a run of the journal changed, dropped or met them; size is NULL where
-- there was none.  path is NULL where their directory is no more.
CREATE VIEW before_view AS
SELECT b.run AS scan_id,
       rtrim(d.path, '/') || '/' ||
       replace(b.name, CASE WHEN b.name_raw IS NULL THEN '' ELSE '/' END, '\') AS path,
       b.dir AS dir_id, b.name, b.name_raw, b.size, b.volume AS volume_id, b.inode, b.mtime, b.mtime_nsec,
       nullif(lower(hex(b.hash)), '') AS hash, b.head, b.left_out
  FROM (SELECT *, row_number() OVER (PARTITION BY run, dir, name ORDER BY seq) AS nth FROM file_before) b
  LEFT JOIN dir_view d ON d.dir_id = b.dir
 WHERE b.nth = 1;

-- As versions 4 and 5 have it; only to know it by.
-- name: views_history_4
CREATE VIEW before_view AS
SELECT b.run AS scan_id,
       rtrim(d.path, '/') || '/' ||
       replace(b.name, CASE WHEN b.name_raw IS NULL THEN '' ELSE '/' END, '\') AS path,
       b.dir AS dir_id, b.name, b.name_raw, b.size, b.volume AS volume_id, b.inode, b.mtime, b.mtime_nsec,
       nullif(lower(hex(b.hash)), '') AS hash, b.head, b.left_out
  FROM file_before b LEFT JOIN dir_view d ON d.dir_id = b.dir;

-- Made by the next writer where an index of this version lacks it; sql makes it for older ones.
-- name: views_fleeting
-- Directories in which copies may go by themselves, one row per reason: the rule of src/index/fleeting,
-- but for $TMPDIR, what is mounted now, and who asks, which no index knows: of meta.sql, "shared.N" tells
-- even where all files are of one user.  In "/" || path only the beginning has two slashes.
CREATE VIEW fleeting_view AS
WITH RECURSIVE place (part, why) AS (
	VALUES ('/.Trash/', 'trash'), ('/.Trash-', 'trash'), ('/Trash/files/', 'trash'),
	       ('/.cache/', 'cache'), ('//tmp/', 'temporary'), ('//var/tmp/', 'temporary'),
	       ('/.snapshots/', 'snapshot'), ('/.zfs/snapshot/', 'snapshot'),
	       ('/timeshift/snapshots/', 'snapshot'), ('/timeshift-btrfs/snapshots/', 'snapshot')),
tagged (id) AS (
	SELECT dir FROM file
	 WHERE hash IS NOT NULL AND size BETWEEN 43 AND 1024 AND name = 'CACHEDIR.TAG'
	UNION
	SELECT dir FROM file
	 WHERE hash IS NULL AND size BETWEEN 43 AND 1024 AND name = 'CACHEDIR.TAG'
	UNION
	SELECT d.id FROM tagged t JOIN dir d ON d.parent = t.id)
SELECT d.dir_id, p.why FROM dir_view d JOIN place p ON instr('/' || d.path || '/', p.part) > 0
UNION
SELECT id, 'cache' FROM tagged
UNION
SELECT d.id, 'shared' FROM dir d JOIN meta m ON m.key = 'shared.' || d.id
UNION
SELECT d.id, 'memory'
  FROM dir d JOIN volume v ON v.id = d.volume LEFT JOIN meta m ON m.key = 'ground.' || v.id
 WHERE v.type IN ('tmpfs', 'ramfs') OR substr(CAST(m.value AS TEXT), 1, 6) IN ('tmpfs:', 'ramfs:');
