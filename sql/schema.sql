-- The index, version 6, without marks (mark.sql) and history (before.sql).  Tables are private and
-- may change with user_version; views.sql holds what other programs may read.  No STRICT tables: clients
-- older than SQLite 3.37 would refuse the whole file.

-- name: schema
-- Keys besides those named: id, a random number; history_from, history (before.sql); names, how many places the
-- blocks of names have (name.sql).
CREATE TABLE meta (
	key TEXT PRIMARY KEY,    -- secret, algorithm, created, version, pending, racy_window
	value NOT NULL
);

-- Directories.  One without parent (0) is the top of a tree: its name is an absolute path
-- (shown as \xHH and with a slash at the end where it is not valid UTF-8).
CREATE TABLE dir (
	id INTEGER PRIMARY KEY,
	parent INTEGER NOT NULL CHECK (typeof(parent) = 'integer'),
	name TEXT NOT NULL,           -- valid UTF-8; bytes that are not: "/xHH", which no name can hold
	name_raw BLOB,                -- the bytes, only where the name is not valid UTF-8
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	digest BLOB,                  -- of all its files' rows; equal digest, equal rows.  NULL: compare row by row
	error INTEGER                 -- errno of the last attempt to read it: its rows are older than the last scan
);


-- Directories given to scan, with their options.
CREATE TABLE root (
	id INTEGER PRIMARY KEY,
	dir INTEGER NOT NULL UNIQUE,
	hidden INTEGER NOT NULL,        -- 1: hidden files too
	one_fs INTEGER NOT NULL,        -- 1: stay on the root's volume
	trust_mtime INTEGER NOT NULL,   -- 1: a changed ctime alone is no change
	min_size INTEGER NOT NULL,      -- bytes; smaller files are skipped
	max_size INTEGER NOT NULL,      -- bytes; larger files are skipped
	scan INTEGER                    -- the last scan that finished here
);
-- At positions below 0 stand the names of options that are no patterns.
CREATE TABLE root_exclude (
	root INTEGER NOT NULL,
	position INTEGER NOT NULL,
	pattern BLOB NOT NULL,
	PRIMARY KEY (root, position)
) WITHOUT ROWID;

-- The journal.
CREATE TABLE scan (
	id INTEGER PRIMARY KEY,
	command TEXT NOT NULL,          -- scan or refresh
	state TEXT NOT NULL,            -- running, finished, interrupted, failed, killed
	pid INTEGER NOT NULL,
	started INTEGER NOT NULL,       -- seconds since 1970
	finished INTEGER,
	options TEXT NOT NULL,
	files INTEGER, dirs INTEGER, bytes INTEGER,
	files_new INTEGER, files_changed INTEGER, files_gone INTEGER, files_reused INTEGER,
	files_read INTEGER, bytes_read INTEGER,
	files_skipped INTEGER, errors INTEGER,
	sets INTEGER, redundant INTEGER -- NULL where the rows changed since
);

-- What rows of files store, in the order of feed: values that follow from others are NULL.
-- columns stored: dir, name, name_raw, size, own_blocks, volume, inode, nlink,
--     own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error

-- Every name of a regular file.  Rows of a directory lie together in the order of names.
-- name: schema_file
-- What follows from another column is NULL and takes no byte.  mtime, mtime_nsec and blocks are computed,
-- and never written.  What is seldom there stands last: a row may end before it (src/bulk).
CREATE TABLE file (
	dir INTEGER NOT NULL,
	name TEXT NOT NULL,           -- as dir.name
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size >= 0),
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	ctime INTEGER NOT NULL,       -- seconds since 1970
	ctime_nsec INTEGER NOT NULL,
	hash BLOB CHECK (hash IS NULL OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	head INTEGER,                 -- 64-bit hash of the first (and last) bytes of a big file
	own_mtime_nsec INTEGER,       -- NULL: ctime_nsec
	own_mtime INTEGER,            -- NULL: ctime
	own_blocks INTEGER,           -- NULL: as many as hold the size in blocks of 4 KiB
	nlink INTEGER NOT NULL DEFAULT 1,
	racy INTEGER NOT NULL DEFAULT 0, -- 1: read so soon after a change that another may have gone unseen
	name_raw BLOB,                -- as dir.name_raw
	verified INTEGER,             -- seconds since 1970: compared byte by byte with the other copies
	error INTEGER,                -- why it could not be read: errno, or -1: it changed meanwhile
	mtime INTEGER AS (coalesce(own_mtime, ctime)),
	mtime_nsec INTEGER AS (coalesce(own_mtime_nsec, ctime_nsec)),
	blocks INTEGER AS (coalesce(own_blocks, -(-size >> 12) * 8)), -- of 512 bytes
	PRIMARY KEY (dir, name)
) WITHOUT ROWID;

-- File systems, by something that survives a remount.  What is not known is NULL.
-- name: schema_volume
CREATE TABLE volume (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE,     -- "ext4:<fsid>", "xfs:<uuid>", "tmpfs:<mount point>" ...
	type TEXT NOT NULL,           -- name of the file system's type
	label TEXT,                   -- the name that people gave it, as name_show writes it
	capacity INTEGER,             -- bytes
	free INTEGER,                 -- bytes, when it was seen last
	seen INTEGER,                 -- seconds since 1970: a scan or refresh met it last
	place TEXT                    -- its mount point then, absolute, as name_show writes it
);

-- As versions 1 to 3 have it; only to know it by.
-- name: schema_volume_1
CREATE TABLE volume (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE,
	type TEXT NOT NULL
);

-- name: schema_index
CREATE UNIQUE INDEX dir_name ON dir (parent, name);
-- Sizes of which something is unproven because a file could not be read.
CREATE INDEX file_error ON file (size) WHERE error IS NOT NULL;

-- The indexes on contents are made after the first load, by src/index/content_index.c: these texts are what
-- is kept in the file.  With the inode in them they tell copies from links by themselves.
-- name: schema_content
CREATE INDEX file_content ON file (size, hash, inode, volume) WHERE hash IS NOT NULL;

-- What nobody had to read, or could.
-- name: schema_unread
CREATE INDEX file_unread ON file (size, inode, volume) WHERE hash IS NULL;

-- What versions 1 and 2 had in their place; only to know them by, and to mend them.
-- name: schema_link_1
CREATE INDEX file_link ON file (volume, inode) WHERE nlink > 1;

-- name: schema_content_1
CREATE INDEX file_content ON file (size, hash);

-- name: schema_index_drop
DROP INDEX IF EXISTS dir_name;
DROP INDEX IF EXISTS file_error;
DROP INDEX IF EXISTS file_content;
DROP INDEX IF EXISTS file_unread;
DROP INDEX IF EXISTS file_link;

-- The rows as versions 1 to 4 have them; only to know them by.
-- name: schema_file_1
CREATE TABLE file (
	dir INTEGER NOT NULL,
	name TEXT NOT NULL,           -- as dir.name
	name_raw BLOB,                -- as dir.name_raw
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size >= 0),
	blocks INTEGER NOT NULL,      -- allocated, in units of 512 bytes
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	nlink INTEGER NOT NULL,
	mtime INTEGER NOT NULL,       -- seconds since 1970
	mtime_nsec INTEGER NOT NULL,
	ctime INTEGER NOT NULL,
	ctime_nsec INTEGER NOT NULL,
	head INTEGER,                 -- 64-bit hash of the first (and last) bytes of a big file
	hash BLOB CHECK (hash IS NULL OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	racy INTEGER NOT NULL,        -- 1: read so soon after a change that another may have gone unseen
	verified INTEGER,             -- seconds since 1970: compared byte by byte with the other copies
	error INTEGER,                -- why it could not be read: errno, or -1: it changed meanwhile
	PRIMARY KEY (dir, name)
) WITHOUT ROWID;

-- What this file has: once for each command.  Names that begin so are SQLite's own.
-- name: schema_objects plan=scan
SELECT type, name, sql FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_';

-- What version 3 has no more, or has in another way.
-- name: schema_upgrade_3
DROP INDEX file_link;
DROP INDEX IF EXISTS file_content;
DROP VIEW dup_view;

-- What version 4 has in another way.  A run before that kept no history.
-- name: schema_upgrade_4 plan=scan
DROP VIEW volume_view;
CREATE TABLE volume_1 AS SELECT id, key, type FROM volume;
DROP TABLE volume;

-- It may be missing in any version.
-- name: schema_upgrade
DROP VIEW IF EXISTS fleeting_view;

-- What version 5 has in another way.  Views name columns, and hold for both.
-- name: schema_upgrade_5 plan=scan
CREATE TABLE file_1 AS SELECT * FROM file;
DROP TABLE file;

-- Behind the table of version 5.
-- name: schema_upgraded_5 plan=scan
INSERT INTO file ($(stored))
SELECT dir, name, name_raw, size, nullif(blocks, -(-size >> 12) * 8), volume, inode, nlink,
       nullif(mtime, ctime), nullif(mtime_nsec, ctime_nsec), ctime, ctime_nsec, head, hash, racy, verified, error FROM file_1;
DROP TABLE file_1;

-- Behind the tables of version 4.
-- name: schema_upgraded_4 plan=scan
INSERT INTO volume (id, key, type) SELECT id, key, type FROM volume_1;
DROP TABLE volume_1;
INSERT INTO meta (key, value) SELECT 'history_from', coalesce(max(id), 0) FROM scan;
