-- Decisions about files, and what they were before.

-- What was decided, and for which content; and a whole mark.
-- columns decided: shown, decision, size, mtime_ns, hash, made
-- columns mark: path, $(decided)

-- Version 2 of the index adds these to version 1.
-- name: schema_mark
-- A decision belongs to a path and a content: it is kept, but without effect, while the path has another one.
CREATE TABLE mark (
	path BLOB NOT NULL PRIMARY KEY, -- absolute; the bytes
	shown TEXT NOT NULL,            -- the path as file_view shows it
	decision TEXT NOT NULL CHECK (decision IN ('drop', 'keep')),
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size >= 0),
	mtime_ns INTEGER NOT NULL,      -- stands for the content where there is no hash
	hash BLOB CHECK ((hash IS NULL AND decision = 'keep') OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	made INTEGER NOT NULL           -- seconds since 1970
) WITHOUT ROWID;
-- For undo: the mark that a path had before a command, if it had one; each command is a batch.
-- For redo, below 0: the mark that a path had before the command with the opposite number was taken back.
CREATE TABLE mark_log (
	batch INTEGER NOT NULL,
	path BLOB NOT NULL,
	shown TEXT,
	decision TEXT,                  -- NULL: it had none
	size INTEGER,
	mtime_ns INTEGER,
	hash BLOB,
	made INTEGER,
	PRIMARY KEY (batch, path)
) WITHOUT ROWID;

-- name: mark_any plan=scan
SELECT EXISTS (SELECT 1 FROM mark);

-- More than 2^63 bytes are that many.
-- name: mark_drops plan=scan
SELECT count(*), CAST(min(total(size), 9.2e18) AS INTEGER) FROM mark WHERE decision = 'drop';

-- name: mark_get
SELECT $(mark) FROM mark WHERE path = :path;

-- A path and all below it: names between "dir/" and "dir0", of which "dir" is the only one that comes earlier.
-- name: mark_below
SELECT $(mark) FROM mark
 WHERE path >= :path AND path < :high AND (path = :path OR path >= :low) ORDER BY path;

-- Marks from feed: the columns of a whole mark, the path first, and the batch behind them.
-- name: mark_put
INSERT OR REPLACE INTO mark ($(mark)) SELECT c1, c2, c3, c4, c5, c6, c7 FROM feed;

-- name: mark_clear
DELETE FROM mark WHERE path >= :path AND path < :high AND (path = :path OR path >= :low);

-- Only the state before the whole command counts: a path that it meets again is in the log already.
-- name: mark_log_put
INSERT OR IGNORE INTO mark_log (batch, $(mark))
SELECT feed.c8, feed.c1, $(m.decided) FROM feed LEFT JOIN mark m ON m.path = feed.c1;

-- name: mark_log_below
INSERT OR IGNORE INTO mark_log (batch, $(mark))
SELECT :batch, $(mark) FROM mark
 WHERE path >= :path AND path < :high AND (path = :path OR path >= :low);

-- name: mark_log_last plan=scan
SELECT coalesce(max(batch), 0) FROM mark_log WHERE batch > 0;

-- The highest number that a batch ever had.  Where meta does not know it the log does, of which
-- forget may have dropped that batch.
-- name: mark_log_newest plan=scan
SELECT max(coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'mark_batch'), 0),
           coalesce((SELECT max(batch) FROM mark_log), 0), coalesce((SELECT -min(batch) FROM mark_log), 0));

-- What undo has taken back and redo may do again has numbers below 0; the last one is nearest to it.
-- name: mark_log_undone plan=scan
SELECT coalesce(max(batch), 0) FROM mark_log WHERE batch < 0;

-- name: mark_log_changes
SELECT l.path, m.decision, l.decision FROM mark_log l LEFT JOIN mark m ON m.path = l.path
 WHERE l.batch = :batch ORDER BY l.path;

-- name: mark_log_opposite
INSERT INTO mark_log (batch, $(mark))
SELECT -:batch, l.path, $(m.decided)
  FROM mark_log l LEFT JOIN mark m ON m.path = l.path WHERE l.batch = :batch;

-- The two halves of undo.
-- name: mark_undo_new
DELETE FROM mark WHERE path IN (SELECT path FROM mark_log WHERE batch = :batch AND decision IS NULL);

-- name: mark_undo_old
INSERT OR REPLACE INTO mark ($(mark))
SELECT $(mark) FROM mark_log
 WHERE batch = :batch AND decision IS NOT NULL;

-- name: mark_log_delete
DELETE FROM mark_log WHERE batch = :batch;

-- A new command: of those before it :keep stay, and what was taken back cannot be done again.
-- The numbers are looked up one by one, for a batch may have a million rows.
-- name: mark_log_prune plan=scan
WITH RECURSIVE newest (n, batch) AS (
	SELECT 1, (SELECT max(batch) FROM mark_log WHERE batch > 0)
	 UNION ALL
	SELECT n + 1, (SELECT max(l.batch) FROM mark_log l WHERE l.batch > 0 AND l.batch < newest.batch)
	  FROM newest WHERE newest.batch IS NOT NULL AND n <= :keep)
DELETE FROM mark_log WHERE batch < 0 OR batch <= (SELECT batch FROM newest WHERE n = :keep + 1);

-- Once for each path that is forgotten.
-- name: mark_log_forget plan=scan
DELETE FROM mark_log WHERE path >= :path AND path < :high AND (path = :path OR path >= :low);

-- What is at and below a path gets another beginning; in the log also what had no mark, and nothing shown.
-- name: mark_rename
UPDATE OR REPLACE mark SET path = CAST(:to || substr(path, :skip + 1) AS BLOB),
       shown = :to_shown || substr(shown, length(:from_shown) + 1)
 WHERE path >= :path AND path < :high AND (path = :path OR path >= :low);

-- name: mark_log_rename plan=scan
UPDATE OR REPLACE mark_log SET path = CAST(:to || substr(path, :skip + 1) AS BLOB),
       shown = :to_shown || substr(shown, length(:from_shown) + 1)
 WHERE path >= :path AND path < :high AND (path = :path OR path >= :low);
