-- Sets of duplicates.

-- The content of every name, equal ones together, by the content index alone.  Counting them is
-- quicker without GROUP BY.  An index that has not been made yet is a sort.
-- name: content_all plan=scan
SELECT size, hash FROM file WHERE hash IS NOT NULL AND size >= :min_size ORDER BY size, hash;

-- Names and inodes of the contents that have hard links.
-- name: content_links plan=scan,sort
SELECT size, hash, count(*), count(DISTINCT volume || ':' || inode) FROM file INDEXED BY file_link
 WHERE nlink > 1 AND hash IS NOT NULL AND size > 0
 GROUP BY size, hash;

-- Sets whose copies were not all compared byte by byte.
-- name: content_unverified plan=scan,sort
SELECT size, hash FROM file
 WHERE hash IS NOT NULL AND size > 0
 GROUP BY size, hash HAVING count(*) > 1 AND count(verified) < count(*);
