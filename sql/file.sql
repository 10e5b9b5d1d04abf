-- Rows of files.

-- What stat tells of a name; and a whole row, which begins with that.
-- columns file_stat: dir, name, name_raw, size, blocks, volume, inode, nlink,
--     mtime, mtime_nsec, ctime, ctime_nsec
-- columns file: $(file_stat), head, hash, racy, verified, error

-- For one or many; feed gives the columns of a whole row.  Values that follow from others are not stored.
-- name: file_put plan=scan
INSERT OR REPLACE INTO file ($(stored))
SELECT c1, c2, c3, c4, nullif(c5, -(-c4 >> 12) * 8), c6, c7, c8, nullif(c9, c11), nullif(c10, c12), c11, c12, c13, c14, c15, c16, c17
  FROM feed;

-- What is stored of most rows, in the order of the table: SQLite need not copy the values then.
-- columns plain: dir, name, size, volume, inode, ctime, ctime_nsec, hash, head, own_mtime_nsec, own_mtime,
--     own_blocks, nlink, racy

-- The same where name_raw, verified and error are NULL in all rows: every column costs.
-- name: file_put_plain plan=scan
INSERT OR REPLACE INTO file ($(plain))
SELECT c1, c2, c4, c6, c7, c11, c12, c14, c13, nullif(c10, c12), nullif(c9, c11), nullif(c5, -(-c4 >> 12) * 8), c8, c15 FROM feed;

-- The same for one.  SQLite keeps a journal of each statement that writes many rows and may fail, and of this one
-- none.
-- name: file_put_one
INSERT OR REPLACE INTO file ($(plain))
VALUES (:dir, :name, :size, :volume, :inode, :ctime, :ctime_nsec, :hash, :head, nullif(:mtime_nsec, :ctime_nsec), nullif(:mtime, :ctime),
       nullif(:blocks, -(-:size >> 12) * 8), :nlink, :racy);

-- name: file_in_dir
SELECT $(file) FROM file WHERE dir = :dir ORDER BY name;

-- As dir_named.
-- name: file_named
SELECT name, name_raw FROM file WHERE dir = :dir AND name >= :from AND name < :to ORDER BY name;

-- The last ones first.
-- name: file_named_last
SELECT name, name_raw FROM file WHERE dir = :dir AND name >= :from AND name < :to ORDER BY name DESC;

-- name: file_get
SELECT $(file) FROM file WHERE dir = :dir AND name = :name;

-- name: file_by_content
SELECT $(file) FROM file WHERE size = :size AND hash = :hash;

-- In the order of directories, so that each is opened once.  Not whole rows: every column costs,
-- most of all of those that nobody wants (src/db/filter).
-- name: file_wanted plan=scan
SELECT $(file_stat), hash FROM file
 WHERE hash IS NOT NULL AND wanted(size, hash) ORDER BY dir, name;

-- The same, whole rows.
-- name: file_wanted_whole plan=scan
SELECT $(file) FROM file
 WHERE hash IS NOT NULL AND wanted(size, hash) ORDER BY dir, name;

-- Files without bytes, directory by directory.
-- name: file_empty plan=scan,sort
SELECT $(file_stat) FROM file WHERE size = 0 AND hash IS NULL AND error IS NULL ORDER BY dir, name;

-- Names that were not read, and have at least so many links, in the same order.
-- name: file_unread plan=scan
SELECT $(file_stat) FROM file WHERE hash IS NULL AND nlink >= :links AND size > 0 AND error IS NULL ORDER BY dir, name;

-- The names in directories whose ids lie close together, as bytes, and whether a file could not be read.
-- name: file_names_between
SELECT dir, coalesce(name_raw, name), error FROM file WHERE dir BETWEEN :from AND :to ORDER BY dir, name;

-- Every name with a content, by the index on contents alone: names of a content together, in it those of an inode.
-- name: file_contents plan=scan
SELECT size, hash, inode, volume, dir FROM file
 WHERE hash IS NOT NULL AND size >= :min_size ORDER BY size, hash, inode, volume;

-- name: file_content_names plan=scan
SELECT size, hash, inode, volume, dir, name FROM file
 WHERE hash IS NOT NULL AND size >= :min_size ORDER BY size, hash, inode, volume;

-- The sizes of files that were not read and are not empty.
-- name: file_unread_sizes plan=scan
SELECT DISTINCT size FROM file WHERE hash IS NULL AND size >= :min_size ORDER BY size;

-- Names with other links, and those that were not read, in one pass over the rows: the index on these holds
-- no hash, so SQLite would look up each row.
-- name: file_linked_unread plan=scan
SELECT size, hash, inode, volume, dir, name, nlink, ctime, ctime_nsec FROM file
 WHERE nlink > 1 OR (:unread AND hash IS NULL);

-- name: file_errors plan=scan
SELECT size, volume, inode, dir FROM file WHERE error IS NOT NULL ORDER BY size;

-- name: file_names
SELECT name, name_raw, size FROM file WHERE dir = :dir ORDER BY name;

-- Names of an inode that were not read.
-- name: file_unread_of_inode
SELECT $(file) FROM file WHERE size = :size AND hash IS NULL AND inode = :inode AND volume = :volume;

-- Names of a size that were read and have others.
-- name: file_read_links
SELECT $(file) FROM file WHERE size = :size AND hash IS NOT NULL AND nlink > 1;

-- All names of an inode: for an index of a version before 3, which has an index for that.
-- name: file_by_link plan=scan
SELECT $(file) FROM file WHERE nlink > 1 AND volume = :volume AND inode = :inode AND size = :size;

-- Names of an inode that were not read, or have a content; with these times.
-- name: file_names_of_inode
SELECT dir, name FROM file WHERE size = :size AND hash = :hash AND inode = :inode AND volume = :volume
   AND mtime = :mtime AND mtime_nsec = :mtime_nsec AND ctime = :ctime AND ctime_nsec = :ctime_nsec
UNION ALL
SELECT dir, name FROM file WHERE size = :size AND hash IS NULL AND inode = :inode AND volume = :volume
   AND mtime = :mtime AND mtime_nsec = :mtime_nsec AND ctime = :ctime AND ctime_nsec = :ctime_nsec;

-- The names of inodes, when their number has changed: no index has what is written.  Of each, feed
-- gives a whole row.  The time of writing stays: it may have followed from the ctime.
-- name: file_set_links plan=scan
UPDATE file SET nlink = c8, own_mtime = nullif(c9, c11), own_mtime_nsec = nullif(c10, c12), ctime = c11, ctime_nsec = c12 FROM feed
 WHERE file.size = c4 AND file.hash = c14 AND file.inode = c7 AND file.volume = c6 AND file.mtime = c9 AND file.mtime_nsec = c10
   AND (file.nlink <> c8 OR file.ctime <> c11 OR file.ctime_nsec <> c12);

-- name: file_unhashed
SELECT $(file) FROM file WHERE size = :size AND hash IS NULL;

-- name: file_hashed
SELECT $(file) FROM file WHERE size = :size AND hash IS NOT NULL;

-- A hashed one of another inode.
-- name: file_hashed_other
SELECT $(file) FROM file WHERE size = :size AND hash IS NOT NULL AND (volume <> :volume OR inode <> :inode) LIMIT 1;

-- name: file_delete
DELETE FROM file WHERE dir = :dir AND name = :name;

-- The same for many, from feed: dir, name.
-- name: file_delete_many plan=scan
DELETE FROM file WHERE (dir, name) IN (SELECT c1, c2 FROM feed);

-- name: file_delete_dir
DELETE FROM file WHERE dir = :dir;

-- name: file_count_dir
SELECT count(*) FROM file WHERE dir = :dir;

-- How many files a directory and those below it have, up to :limit.  Roots below stay as they are: they don't count.
-- name: file_count_below plan=scan
WITH RECURSIVE tree (id) AS (
	SELECT :dir
	UNION
	SELECT d.id FROM tree t JOIN dir d ON d.parent = t.id WHERE d.id NOT IN (SELECT dir FROM root))
SELECT count(*) FROM (SELECT 1 FROM tree t JOIN file f ON f.dir = t.id LIMIT :limit);

-- name: file_any plan=scan
SELECT EXISTS (SELECT 1 FROM file);

-- For a message: a row with a hash that is none.
-- name: file_hash_invalid plan=scan
SELECT dir, coalesce(name_raw, name) FROM file
 WHERE hash IS NOT NULL AND length(CAST(hash AS BLOB)) <> 16 LIMIT 1;

-- What reading an inode gave.  A head that is the same as before leaves the hash standing until the
-- rest is read as well: racy, so that this is not forgotten.
-- name: file_set_content
UPDATE file SET hash = coalesce(:hash, CASE WHEN head = :head THEN hash END),
       racy = CASE WHEN :hash IS NULL AND head = :head AND hash IS NOT NULL THEN 1 ELSE :racy END,
       head = coalesce(:head, head), verified = :verified, error = :error
 WHERE dir = :dir AND name = :name;

-- A file whose bytes were compared, if it still has the hash of then.
-- name: file_set_verified
UPDATE file SET verified = :now WHERE dir = :dir AND name = :name AND hash = :hash AND verified IS NULL;

-- The same for all names of an inode.
-- name: file_set_verified_links
UPDATE file SET verified = :now
 WHERE size = :size AND hash = :hash AND inode = :inode AND volume = :volume AND verified IS NULL;

-- Every name; those of one inode with one content mostly come together.
-- name: file_sizes plan=scan
SELECT size, inode, volume FROM file WHERE hash IS NOT NULL AND size > 0
UNION ALL
SELECT size, inode, volume FROM file WHERE hash IS NULL AND size > 0;

-- Shared sizes of which an earlier scan left something to read.
-- name: file_sizes_pending plan=scan
SELECT size FROM file WHERE hash IS NULL AND size > 0 GROUP BY size
HAVING count(*) > 1 OR EXISTS (SELECT 1 FROM file AS f WHERE f.size = file.size AND f.hash IS NOT NULL);

-- The sizes that several inodes have, and how many.
-- name: file_sizes_shared plan=scan,sort
SELECT size, count(*) FROM (SELECT DISTINCT size, volume, inode FROM file WHERE size > 0) GROUP BY size HAVING count(*) > 1 ORDER BY size;

-- Whether a file has this size or more.
-- name: file_any_from
SELECT EXISTS (SELECT 1 FROM file WHERE hash IS NOT NULL AND size >= :size) OR EXISTS (SELECT 1 FROM file WHERE hash IS NULL AND size >= :size);

-- Sizes of files that were not read.
-- name: file_sizes_unread plan=scan
SELECT DISTINCT size FROM file WHERE hash IS NULL AND size > 0;

-- What the directories hold.
-- name: file_sums plan=scan
SELECT dir, count(*), CAST(total(size) AS INTEGER) FROM file GROUP BY dir;

-- name: file_count plan=scan
SELECT count(*) FROM file;

-- Names of the same size that could not be read: nothing is proven against them.
-- name: file_error_of_size
SELECT $(file) FROM file WHERE error IS NOT NULL AND size = :size;

-- Unread names of other inodes that this one is not proven to differ from; only asked while a scan is unfinished.
-- name: file_unproven
SELECT $(file) FROM file WHERE size = :size AND hash IS NULL AND (volume <> :volume OR inode <> :inode)
   AND (head IS NULL OR :head IS NULL OR head = :head);

-- The same of those that were read: against them only one that was not has something to prove.
-- name: file_unproven_read
SELECT EXISTS (SELECT 1 FROM file
 WHERE size = :size AND hash IS NOT NULL AND (volume <> :volume OR inode <> :inode)
   AND (head IS NULL OR :head IS NULL OR head = :head));

-- name: file_size_known
SELECT EXISTS (SELECT 1 FROM file WHERE size = :size AND hash IS NOT NULL)
    OR EXISTS (SELECT 1 FROM file WHERE size = :size AND hash IS NULL);

-- Where the files of a volume are: for what its file system knows by inode alone.
-- name: file_inodes plan=scan
SELECT dir, inode FROM file WHERE volume = :volume;

-- Names that could not be read, of sizes that another inode has, too.
-- name: file_errors_shared plan=scan
SELECT $(f.file) FROM file f
 WHERE f.error IS NOT NULL AND f.size >= :min_size
   AND (EXISTS (SELECT 1 FROM file o WHERE o.size = f.size AND o.hash IS NOT NULL AND (o.inode <> f.inode OR o.volume <> f.volume))
     OR EXISTS (SELECT 1 FROM file o WHERE o.size = f.size AND o.hash IS NULL AND (o.inode <> f.inode OR o.volume <> f.volume)))
 ORDER BY f.size;

-- Directories with files of a size.
-- name: file_dirs_of_size
SELECT dir FROM file WHERE size = :size AND hash IS NOT NULL
UNION
SELECT dir FROM file WHERE size = :size AND hash IS NULL;
