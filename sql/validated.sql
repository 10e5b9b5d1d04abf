-- When the bytes of files were read again and compared with their hashes (validate).

-- The first validate makes it; no version has it, or lacks it.
-- name: schema_validated
-- An inode whose content was read again.  The row is of the content with this hash alone: one that
-- another content has taken the place of only says when that inode's turn was.
CREATE TABLE validated (
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size > 0),
	hash BLOB NOT NULL CHECK (typeof(hash) = 'blob' AND length(hash) = 16),
	tried INTEGER NOT NULL,       -- seconds since 1970: read last
	good INTEGER,                 -- seconds since 1970: last found to have that hash
	error INTEGER,                -- why it was not when it was read last: as file.error
	PRIMARY KEY (volume, inode)
) WITHOUT ROWID;

-- name: validated_put
INSERT INTO validated (volume, inode, size, hash, tried, good, error)
VALUES (:volume, :inode, :size, :hash, :tried, :good, :error)
    ON CONFLICT (volume, inode) DO UPDATE SET tried = excluded.tried, size = excluded.size, hash = excluded.hash,
       good = coalesce(excluded.good, CASE WHEN hash = excluded.hash THEN good END), error = excluded.error;

-- Inodes that no file has any more; once in a run.  One that has another content by now had its
-- turn all the same: what changes every day must not come first every day.
-- NOT IN would go through all files for each of them, to look for a NULL.
-- name: validated_drop_orphans plan=scan,sort
DELETE FROM validated WHERE (volume, inode) IN (SELECT volume, inode FROM validated EXCEPT SELECT volume, inode FROM file);

-- All files that have a content, with the time at which their inode had its turn.
-- name: validated_files plan=scan
SELECT $(f.file), coalesce(v.tried, 0)
  FROM file f LEFT JOIN validated v ON v.volume = f.volume AND v.inode = f.inode
 WHERE f.size > 0;

-- Inodes with a hash, their bytes; of these the ones that were found good last, the oldest of
-- them; and how many were found to be otherwise.
-- name: validated_counts plan=scan
SELECT count(*), coalesce(sum(f.size), 0),
       count(v.good) FILTER (WHERE v.error IS NULL), coalesce(sum(f.size) FILTER (WHERE v.good IS NOT NULL AND v.error IS NULL), 0),
       min(v.good) FILTER (WHERE v.error IS NULL), count(v.error)
  FROM (SELECT DISTINCT size, hash, inode, volume FROM file WHERE hash IS NOT NULL AND size > 0) f
  LEFT JOIN validated v ON v.volume = f.volume AND v.inode = f.inode AND v.hash = f.hash;

-- Run by check where the table is there.
-- name: check_validated plan=scan
SELECT 'validated: a number is out of range', size, 0, '' FROM validated
 WHERE tried < 0 OR good < 0 OR good > tried OR (good IS NULL AND error IS NULL)
    OR volume NOT IN (SELECT id FROM volume) LIMIT 20;
