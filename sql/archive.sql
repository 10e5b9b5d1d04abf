-- What archives hold (scan --archives): members, which are no files and in no answer about files.

-- The first scan --archives makes these; no version has them, or lacks them.
-- name: schema_archive
-- An archive that was opened.  It is about rows of file with the same signature, and about no others.
CREATE TABLE archive (
	id INTEGER PRIMARY KEY,
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	size INTEGER NOT NULL,
	mtime INTEGER NOT NULL,
	mtime_nsec INTEGER NOT NULL,
	ctime INTEGER NOT NULL,
	ctime_nsec INTEGER NOT NULL,
	racy INTEGER NOT NULL,        -- 1: as file.racy; 2: archives in it were opened, too; 3: both
	read INTEGER NOT NULL,        -- seconds since 1970
	why INTEGER NOT NULL,         -- 0: all its members are here; else why no more are (src/archive/packed.h)
	members INTEGER NOT NULL,     -- rows of archive_member
	others INTEGER NOT NULL,      -- directories, links, devices: they have no rows
	format TEXT NOT NULL,         -- as libarchive calls it
	UNIQUE (volume, inode)
);
-- A file in an archive.
CREATE TABLE archive_member (
	archive INTEGER NOT NULL,
	number INTEGER NOT NULL,      -- in the order of the archive, from 0 on
	name TEXT NOT NULL,           -- as file.name; never a path that is opened
	name_raw BLOB,                -- as file.name_raw; of what is in a member the names of both, with a NUL for the mark between
	size INTEGER,                 -- NULL: unknown
	mtime INTEGER,                -- seconds since 1970, or NULL
	why INTEGER NOT NULL,         -- 0: it was read, or is empty; else why not
	hash BLOB CHECK (hash IS NULL OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	PRIMARY KEY (archive, number)
) WITHOUT ROWID;
CREATE INDEX archive_member_content ON archive_member (size, hash, archive);

-- Columns of an archive for src/index/archives.
-- columns archive: id, racy, read, why, members, others, format

-- name: archive_of
SELECT $(archive) FROM archive
 WHERE volume = :volume AND inode = :inode AND size = :size
   AND mtime = :mtime AND mtime_nsec = :mtime_nsec AND ctime = :ctime AND ctime_nsec = :ctime_nsec;

-- The same inode, whatever its signature was.
-- name: archive_of_inode
SELECT id FROM archive WHERE volume = :volume AND inode = :inode;

-- name: archive_add
INSERT INTO archive (volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec, racy, read, why, members, others, format)
VALUES (:volume, :inode, :size, :mtime, :mtime_nsec, :ctime, :ctime_nsec, :racy, :read, :why, 0, 0, '');

-- name: archive_end
UPDATE archive SET racy = :racy, why = :why, members = :members, others = :others, format = :format WHERE id = :id;

-- name: archive_drop
DELETE FROM archive WHERE id = :id;

-- name: archive_member_drop
DELETE FROM archive_member WHERE archive = :archive;

-- For many; feed gives archive, number, name, name_raw, size, mtime, why, hash.
-- name: archive_member_put plan=scan
INSERT INTO archive_member (archive, number, name, name_raw, size, mtime, why, hash) SELECT c1, c2, c3, c4, c5, c6, c7, c8 FROM feed;

-- name: archive_all plan=scan
SELECT id FROM archive;

-- Archives with a member that was not read, whose size a file has by now.  Once in a scan.
-- name: archive_owed plan=scan,sort
SELECT DISTINCT m.archive FROM archive_member m
 WHERE m.why = :not_read AND m.size > 0 AND (EXISTS (SELECT 1 FROM file WHERE size = m.size AND hash IS NOT NULL)
                                          OR EXISTS (SELECT 1 FROM file WHERE size = m.size AND hash IS NULL));

-- Archives with a member that was not read.  Once in a scan.
-- name: archive_unread plan=scan
SELECT DISTINCT archive FROM archive_member WHERE why = :not_read ORDER BY archive;

-- Archives with what is in their members.
-- name: archive_nested plan=scan
SELECT id FROM archive WHERE racy >= 2;

-- It is known no more what is in its members.
-- name: archive_inner_drop
DELETE FROM archive_member WHERE archive = :archive AND instr(name_raw, x'00') > 0;

-- name: archive_nested_end
UPDATE archive SET racy = racy & 1, members = (SELECT count(*) FROM archive_member WHERE archive = :id) WHERE id = :id;

-- A member came out damaged: what was read of those in it is no content to rely on.
-- name: archive_inner_spoilt
UPDATE archive_member SET hash = NULL, why = :why WHERE archive = :archive AND number > :number AND why = 0 AND hash IS NOT NULL;

-- The sizes of members that a file has which was not read whole.  Once in a scan.
-- name: archive_sizes_unread plan=scan,sort
SELECT DISTINCT size FROM archive_member
 WHERE size > 0 AND size IN (SELECT size FROM file WHERE hash IS NULL AND size > 0) ORDER BY size;

-- The sizes of all files, once in a scan.
-- name: archive_file_sizes plan=scan,sort
SELECT DISTINCT size FROM file WHERE size > 0 ORDER BY size;

-- All files: their names tell which are archives.
-- name: archive_files plan=scan
SELECT $(file) FROM file WHERE size > 0;

-- Runs of which the one that last looked into archives knew nothing.
-- name: archive_runs_since plan=scan
SELECT EXISTS (SELECT 1 FROM scan WHERE id > :run AND id <> :now);

-- name: archive_any_racy plan=scan
SELECT EXISTS (SELECT 1 FROM archive WHERE racy & 1);

-- Its members in its order.
-- name: archive_members
SELECT number, name, name_raw, size, mtime, why, hash FROM archive_member WHERE archive = :archive ORDER BY number;

-- Whether an archive has a content.
-- name: archive_has
SELECT EXISTS (SELECT 1 FROM archive_member WHERE size = :size AND hash = :hash AND archive = :archive);

-- Whether it has a member of a size.
-- name: archive_has_size
SELECT EXISTS (SELECT 1 FROM archive_member WHERE size = :size AND archive = :archive);

-- Whether an archive has a member that may have this size and was not read.  A link has the content of another member.
-- name: archive_may_have plan=scan
SELECT EXISTS (SELECT 1 FROM archive_member WHERE archive = :archive AND hash IS NULL AND why <> 0 AND why <> :link AND (size = :size OR size IS NULL));

-- The members that have a content, and the files that their archives are.
-- name: archive_members_like plan=sort
SELECT a.id, m.name, m.name_raw, a.volume, a.inode, a.size, a.mtime, a.mtime_nsec, a.ctime, a.ctime_nsec
  FROM archive_member m JOIN archive a ON a.id = m.archive WHERE m.size = :size AND m.hash = :hash ORDER BY m.archive, m.number;

-- The names of such a file that was read whole, or was not.
-- name: archive_names_read
SELECT $(file) FROM file WHERE hash IS NOT NULL AND size = :size AND inode = :inode AND volume = :volume
   AND mtime = :mtime AND mtime_nsec = :mtime_nsec AND ctime = :ctime AND ctime_nsec = :ctime_nsec;

-- name: archive_names_unread
SELECT $(file) FROM file WHERE hash IS NULL AND size = :size AND inode = :inode AND volume = :volume
   AND mtime = :mtime AND mtime_nsec = :mtime_nsec AND ctime = :ctime AND ctime_nsec = :ctime_nsec;

-- How many of its members are in other ones, or stand for such.
-- name: archive_inner_count
SELECT count(*) FROM archive_member WHERE archive = :archive AND instr(name_raw, x'00') > 0;

-- Archives, their members, those with a hash, and archives that were not read to the end; not what only has the name of one.
-- name: archive_counts plan=scan
SELECT count(*), coalesce(sum(members), 0) - (SELECT count(*) FROM archive_member WHERE instr(name_raw, x'00') = length(name_raw)), (SELECT count(*) FROM archive_member WHERE hash IS NOT NULL), coalesce(sum(why <> 0), 0) FROM archive
 WHERE why <> :none;

-- Run by check where the tables are there.
-- name: check_archives plan=scan,sort
SELECT 'archive: its members are not as many as it says, or belong to none', coalesce(a.size, 0), 0, coalesce(a.format, '')
  FROM (SELECT archive, count(*) AS n FROM archive_member GROUP BY archive) m LEFT JOIN archive a ON a.id = m.archive
 WHERE a.id IS NULL OR a.members <> m.n
UNION ALL
SELECT 'archive_member: a hash and a reason for its absence, or neither', coalesce(size, -1), 0, name FROM archive_member
 WHERE (hash IS NOT NULL AND (why <> 0 OR size IS NULL OR size <= 0)) OR (hash IS NULL AND why = 0 AND size IS NOT 0)
 LIMIT 20;
