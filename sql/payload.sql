-- Payloads: what files hold without their tags (scan --payload).

-- The first scan with payloads makes it; no version has it, or lacks it.
-- name: schema_payload
-- The payload of an inode.  It holds for rows of file that have the same size and times.
CREATE TABLE payload (
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	format TEXT NOT NULL,         -- jpeg, png, flac, mp3, mp4; empty: none that is known and whole
	hash BLOB CHECK ((hash IS NULL) = (format = '')),
	bytes INTEGER NOT NULL,       -- of payload
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size > 0),
	mtime INTEGER NOT NULL,
	mtime_nsec INTEGER NOT NULL,
	ctime INTEGER NOT NULL,
	ctime_nsec INTEGER NOT NULL,
	read INTEGER NOT NULL,        -- seconds since 1970: when the file was read
	PRIMARY KEY (volume, inode)
) WITHOUT ROWID;
CREATE INDEX payload_hash ON payload (hash) WHERE hash IS NOT NULL;

-- name: payload_put
INSERT OR REPLACE INTO payload (volume, inode, format, hash, bytes, size, mtime, mtime_nsec, ctime, ctime_nsec, read)
VALUES (:volume, :inode, :format, :hash, :bytes, :size, :mtime, :mtime_nsec, :ctime, :ctime_nsec, :read);

-- Those that no file has any more: it is gone, or was written since.  Once in a run.
-- name: payload_drop_orphans plan=scan,sort
DELETE FROM payload WHERE (volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec) IN
       (SELECT volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec FROM payload EXCEPT
        SELECT volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec FROM file);

-- All files whose payload is not known.  What was read right after a change does not count: the
-- file may have changed again within the same tick of its clock.
-- name: payload_lacking plan=scan
SELECT $(f.file) FROM file f WHERE f.size > 0 AND NOT EXISTS (SELECT 1 FROM payload p
        WHERE p.volume = f.volume AND p.inode = f.inode AND p.size = f.size
          AND p.mtime = f.mtime AND p.mtime_nsec = f.mtime_nsec AND p.ctime = f.ctime AND p.ctime_nsec = f.ctime_nsec
          AND p.read >= max(f.mtime, f.ctime) + :window);

-- name: payload_get
SELECT format, hash, bytes FROM payload
 WHERE volume = :volume AND inode = :inode AND size = :size
   AND mtime = :mtime AND mtime_nsec = :mtime_nsec AND ctime = :ctime AND ctime_nsec = :ctime_nsec;

-- The inodes with a payload.
-- name: payload_inodes
SELECT volume, inode, size FROM payload WHERE hash = :hash;

-- All names of payloads that several inodes have, one payload after another.  Once in a run.
-- name: payload_groups plan=scan,sort
SELECT $(f.file), p.format, p.hash, p.bytes FROM file f CROSS JOIN payload p
    ON p.volume = f.volume AND p.inode = f.inode AND p.size = f.size
   AND p.mtime = f.mtime AND p.mtime_nsec = f.mtime_nsec AND p.ctime = f.ctime AND p.ctime_nsec = f.ctime_nsec
 WHERE p.hash IN (SELECT hash FROM payload WHERE hash IS NOT NULL GROUP BY hash HAVING count(*) > 1)
 ORDER BY p.hash;

-- Run by check where the table is there.
-- name: check_payloads plan=scan
SELECT 'payload: its hash is not 16 bytes long, or its volume is none', size, 0, '' FROM payload
 WHERE (hash IS NOT NULL AND (typeof(hash) != 'blob' OR length(hash) != 16))
    OR bytes NOT BETWEEN 0 AND size OR read < 0 OR volume NOT IN (SELECT id FROM volume) LIMIT 20;
