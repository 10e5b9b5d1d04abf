-- Sets of duplicates.

-- Contents with several names, by the content index alone; links of one inode are still counted apart.
-- name: content_groups plan=scan,sort
SELECT size, hash, count(*) FROM file
 WHERE hash IS NOT NULL AND size >= :min_size AND size > 0
 GROUP BY size, hash HAVING count(*) > 1;

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
