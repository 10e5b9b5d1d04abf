-- What rows of files and directories were before a run changed them.
--
-- The state after run N is that of the rows, but where a later run has an entry here: then it is
-- what the entry of the first of those says.  That holds for N from meta's history_from on: entries
-- of runs up to that one are not kept.  An entry is written in the transaction in which its row
-- changes.  What acts of twindex change counts to the run that comes next.

-- What is kept of a file.
-- columns before: size, volume, inode, mtime, mtime_nsec, head, hash
-- columns kept: run, dir, name, name_raw, $(before)
-- columns entry: $(kept), left_out

-- Of a run's entries for a name the first one counts.  Acts and a scan may write several, for nobody
-- looks whether there is one: they stand in the order in which they were written.
-- name: schema_history_file
CREATE TABLE file_before (
	seq INTEGER PRIMARY KEY,      -- ascends with time, and so with run
	run INTEGER NOT NULL,         -- scan.id of the run that changed it; of acts: the next one
	dir INTEGER NOT NULL,
	name TEXT NOT NULL,           -- as file.name
	name_raw BLOB,                -- as file.name_raw
	size INTEGER CHECK (size IS NULL OR (typeof(size) = 'integer' AND size >= 0)), -- NULL: there was no such file
	volume INTEGER,
	inode INTEGER,
	mtime INTEGER,
	mtime_nsec INTEGER,
	head INTEGER,                 -- as file.head
	hash BLOB CHECK (hash IS NULL OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	left_out INTEGER              -- 1: its row went because options leave it out; it may be there still
);

-- As versions 4 and 5 have it; only to know it by, and to read it.
-- name: schema_history_file_4
CREATE TABLE file_before (
	run INTEGER NOT NULL,         -- scan.id of the run that changed it; of acts: the next one
	dir INTEGER NOT NULL,
	name TEXT NOT NULL,           -- as file.name
	name_raw BLOB,                -- as file.name_raw
	size INTEGER CHECK (size IS NULL OR (typeof(size) = 'integer' AND size >= 0)), -- NULL: there was no such file
	volume INTEGER,
	inode INTEGER,
	mtime INTEGER,
	mtime_nsec INTEGER,
	head INTEGER,                 -- as file.head
	hash BLOB CHECK (hash IS NULL OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	left_out INTEGER,             -- 1: its row went because options leave it out; it may be there still
	PRIMARY KEY (run, dir, name)
) WITHOUT ROWID;

-- name: before_files_4
CREATE TEMP VIEW file_before AS SELECT 0 AS seq, * FROM main.file_before;

-- Version 4 of the index adds this.
-- name: schema_history
CREATE TABLE dir_before (
	run INTEGER NOT NULL,
	dir INTEGER NOT NULL,
	parent INTEGER,               -- NULL: neither it nor any with a larger number was there
	name TEXT,                    -- as dir.name
	name_raw BLOB,
	PRIMARY KEY (dir, run)
) WITHOUT ROWID;

-- What version 6 has in another way, of those before it that have it.
-- name: schema_upgrade_6 plan=scan
DROP VIEW before_view;
CREATE TABLE before_1 AS SELECT * FROM file_before ORDER BY run;
DROP TABLE file_before;

-- Behind the table of version 6.
-- name: schema_upgraded_6 plan=scan
INSERT INTO file_before ($(entry)) SELECT $(entry) FROM before_1 ORDER BY rowid;
DROP TABLE before_1;

-- name: before_file
INSERT INTO file_before ($(kept))
SELECT :run, dir, name, name_raw, $(before) FROM file WHERE dir = :dir AND name = :name;

-- For one or many.
-- name: before_put plan=scan
INSERT INTO file_before ($(entry))
SELECT c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12 FROM feed;

-- The same without what is seldom there: names are UTF-8, and none is left out.
-- name: before_put_plain plan=scan
INSERT INTO file_before ($(entry))
SELECT :run, c2, c3, NULL, c5, c6, c7, c8, c9, c10, c11, NULL FROM feed;

-- All rows of the directories that feed gives, and where those are.
-- name: before_dirs_files
INSERT INTO file_before ($(kept))
SELECT :run, dir, name, name_raw, $(before) FROM feed CROSS JOIN file ON dir = c1;

-- name: before_dirs
INSERT OR IGNORE INTO dir_before (run, dir, parent, name, name_raw)
SELECT :run, d.id, d.parent, d.name, d.name_raw FROM feed CROSS JOIN dir d ON d.id = feed.c1;

-- name: before_dirs_count
SELECT count(*) FROM feed CROSS JOIN file f ON f.dir = feed.c1;

-- name: before_dir
INSERT OR IGNORE INTO dir_before (run, dir, parent, name, name_raw)
SELECT :run, id, parent, name, name_raw FROM dir WHERE id = :dir;

-- The directories that acts have dropped since the last run, with the places where they were.
-- name: before_dropped_dirs plan=scan
SELECT dir, parent, name FROM dir_before WHERE run = :run AND parent IS NOT NULL AND dir NOT IN (SELECT id FROM dir);

-- name: before_new_dirs
INSERT OR IGNORE INTO dir_before (run, dir) VALUES (:run, :dir);

-- name: before_last_dir
SELECT coalesce(max(dir), 0) FROM dir_before;

-- What acts change counts to the run that comes next.
-- name: before_next_run
SELECT coalesce(max(id), 0) + 1 FROM scan;

-- For each directory that is forgotten; then the two below, once.
-- name: before_forget_dir
DELETE FROM dir_before WHERE dir = :dir AND parent IS NOT NULL;

-- Directories that were gone before lay in those that are forgotten.
-- name: before_forget_dirs plan=scan,sort
WITH RECURSIVE known (id) AS (
	SELECT id FROM dir UNION SELECT 0
	UNION
	SELECT b.dir FROM known k JOIN dir_before b ON b.parent = k.id)
DELETE FROM dir_before WHERE parent > 0 AND dir NOT IN (SELECT id FROM known);

-- name: before_forget_files plan=scan
DELETE FROM file_before WHERE dir NOT IN (SELECT id FROM dir) AND dir NOT IN (SELECT dir FROM dir_before WHERE parent IS NOT NULL);

-- Once for each file that is forgotten.
-- name: before_forget_file plan=scan
DELETE FROM file_before WHERE dir = :dir AND name = :name;

-- The last run but this one that ended before a time: what led to its state may go.
-- name: before_aged plan=scan
SELECT coalesce(max(id), 0) FROM scan WHERE id < :run AND coalesce(finished, started) < :time;

-- SQLite counts pages for this, not rows.
-- name: before_count plan=scan
SELECT count(*) FROM file_before;

-- The run with which entries become too many, counted from the newest.
-- name: before_too_many plan=scan
SELECT run FROM file_before ORDER BY seq DESC LIMIT 1 OFFSET :most;

-- These read one entry.
-- name: before_any_later plan=scan
SELECT coalesce((SELECT run FROM file_before ORDER BY seq DESC LIMIT 1) > :run, 0);

-- name: before_any_earlier plan=scan
SELECT coalesce((SELECT run FROM file_before ORDER BY seq LIMIT 1) < :run, 0);

-- name: before_prune_files plan=scan
DELETE FROM file_before WHERE run <= :run;

-- Without a condition SQLite lets the pages go without a look at the entries.
-- name: before_clear_files
DELETE FROM file_before;

-- name: before_prune_dirs plan=scan
DELETE FROM dir_before WHERE run <= :run;

-- What diff reads of the runs behind one: once in a run of it.
-- name: before_born plan=scan
SELECT min(dir) FROM dir_before WHERE parent IS NULL AND run > :run;

-- name: before_places plan=scan
SELECT dir, run, parent, name, name_raw FROM dir_before WHERE parent IS NOT NULL AND run > :run ORDER BY dir, run;

-- Each name's entries together, the first one first, with its row.
-- name: before_entries plan=scan,sort
SELECT b.run, b.dir, b.name, b.name_raw, $(b.before), b.left_out, $(f.before)
  FROM file_before b LEFT JOIN file f ON f.dir = b.dir AND f.name = b.name
 WHERE b.run > :run ORDER BY b.dir, b.name, b.run, b.seq;

-- Files in directories that are new.
-- name: before_fresh
SELECT dir, name, name_raw, $(before) FROM file WHERE dir >= :from AND dir < :to ORDER BY dir, name;

-- Files of a size, for a look for a content.
-- name: before_of_size
SELECT dir, $(before) FROM file WHERE size = :size AND hash IS NULL
UNION ALL
SELECT dir, $(before) FROM file WHERE size = :size AND hash IS NOT NULL;

-- name: before_of_content
SELECT dir FROM file WHERE size = :size AND hash = :hash;

-- Run by check where the tables are there.
-- name: check_before plan=scan
SELECT 'file_before: its directory is not known, or a number is out of range', size, dir, name FROM file_before
 WHERE (dir NOT IN (SELECT id FROM dir) AND dir NOT IN (SELECT dir FROM dir_before WHERE parent IS NOT NULL))
    OR run < 1 OR run > (SELECT coalesce(max(id), 0) + 1 FROM scan)
    OR (size IS NOT NULL AND mtime_nsec NOT BETWEEN 0 AND 999999999) LIMIT 20;
