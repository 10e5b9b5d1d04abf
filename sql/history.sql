-- What rows of files and directories were before a run changed them.
--
-- The state after run N is that of the rows, but where a later run has an entry here: then it is
-- what the entry of the first of those says.  That holds for N from meta's history_from on: entries
-- of runs up to that one are not kept.  An entry is written in the transaction in which its row
-- changes.  What acts of twindex change counts to the run that comes next.

-- Version 4 of the index adds these.
-- name: schema_history
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

CREATE TABLE dir_before (
	run INTEGER NOT NULL,
	dir INTEGER NOT NULL,
	parent INTEGER,               -- NULL: neither it nor any with a larger number was there
	name TEXT,                    -- as dir.name
	name_raw BLOB,
	PRIMARY KEY (run, dir)
) WITHOUT ROWID;
