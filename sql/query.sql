-- Sets of duplicates.

-- The content of every name, equal ones together, by the index on contents alone.  Counting them is
-- quicker without GROUP BY.  An index that has not been made yet is a sort.
-- name: content_all plan=scan
SELECT size, hash FROM file WHERE hash IS NOT NULL AND size >= :min_size ORDER BY size, hash;

-- Inodes with several names of which some were not read; the content, if one was.
-- name: inode_unread_names plan=scan,sort
SELECT size, volume, inode, max(hash) FROM file WHERE nlink > 1 AND size >= :min_size
 GROUP BY size, volume, inode HAVING count(*) > 1 AND count(hash) < count(*);

-- Whole rows of all contents with several names.  CROSS JOIN keeps the loops in this order, and so those of one
-- content together.
-- name: content_members plan=scan
SELECT $(f.file)
  FROM (SELECT size, hash FROM file
         WHERE hash IS NOT NULL AND size > 0
         GROUP BY size, hash HAVING count(*) > 1) AS content
  CROSS JOIN file AS f ON f.size = content.size AND f.hash = content.hash;
