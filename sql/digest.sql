-- Digests that other programs know (SHA-256 and the like), of files of this machine.

-- The first digest makes it; no version has it, or lacks it.
-- name: schema_digest
-- The digest of an inode's content.  It holds for rows of file that have the same size and times.
CREATE TABLE digest (
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	kind TEXT NOT NULL,           -- md5, sha1, sha256, sha512, blake2b
	digest BLOB NOT NULL CHECK (typeof(digest) = 'blob'),
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size > 0),
	mtime INTEGER NOT NULL,
	mtime_nsec INTEGER NOT NULL,
	ctime INTEGER NOT NULL,
	ctime_nsec INTEGER NOT NULL,
	read INTEGER NOT NULL,        -- seconds since 1970: it was read then, or surely the same then
	PRIMARY KEY (volume, inode, kind)
) WITHOUT ROWID;

-- For many; feed gives volume, inode, kind, digest, size, mtime, mtime_nsec, ctime, ctime_nsec, read.
-- name: digest_put plan=scan
INSERT OR REPLACE INTO digest (volume, inode, kind, digest, size, mtime, mtime_nsec, ctime, ctime_nsec, read)
SELECT c1, c2, c3, c4, c5, c6, c7, c8, c9, c10 FROM feed;

-- name: digest_get
SELECT digest FROM digest
 WHERE volume = :volume AND inode = :inode AND kind = :kind AND size = :size
   AND mtime = :mtime AND mtime_nsec = :mtime_nsec AND ctime = :ctime AND ctime_nsec = :ctime_nsec;

-- Those that no file has any more: it is gone, or was written since.  Once in a run.  NOT IN would
-- go through all files for each of them, to look for a NULL.
-- name: digest_drop_orphans plan=scan,sort
DELETE FROM digest WHERE (volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec) IN
       (SELECT volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec FROM digest EXCEPT
        SELECT volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec FROM file);

-- All files that have a content, and how many of the kinds in :kinds, each between blanks, they
-- have a digest of.  One made right after a change does not count: the file may have changed again
-- within the same tick of its clock.  Where that was out of the question (sys/racy_window), read says so.
-- name: digest_files plan=scan
SELECT $(f.file), (SELECT count(*) FROM digest d
        WHERE d.volume = f.volume AND d.inode = f.inode AND instr(:kinds, ' ' || d.kind || ' ') > 0 AND d.size = f.size
          AND d.mtime = f.mtime AND d.mtime_nsec = f.mtime_nsec AND d.ctime = f.ctime AND d.ctime_nsec = f.ctime_nsec
          AND d.read >= max(f.mtime, f.ctime) + :window)
  FROM file f WHERE f.size > 0;

-- How many inodes have a digest of each kind, those that hold.
-- name: digest_counts plan=scan,sort
SELECT kind, count(*) FROM digest
 WHERE (volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec) IN
       (SELECT volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec FROM file)
 GROUP BY kind;

-- All files, for a list.
-- name: digest_all_files plan=scan
SELECT $(file) FROM file;

-- Run by check where the table is there.
-- name: check_digests plan=scan
SELECT 'digest: it is not as long as its kind, or its volume is none', size, 0, '' FROM digest
 WHERE length(digest) IS NOT CASE kind WHEN 'md5' THEN 16 WHEN 'sha1' THEN 20 WHEN 'sha256' THEN 32
       WHEN 'sha512' THEN 64 WHEN 'blake2b' THEN 64 END
    OR read < 0 OR volume NOT IN (SELECT id FROM volume) LIMIT 20;

-- name: digest_claims_there plan=scan
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('claim', 'claim_source');

-- name: digest_claim_source
SELECT id FROM claim_source WHERE name = :name;

-- The sizes that a source claims, once in a run.
-- name: digest_claimed_sizes plan=scan,sort
SELECT DISTINCT size FROM claim WHERE source = :source AND size > 0;
