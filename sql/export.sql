-- What export reads besides whole rows.

-- Inodes that were not read, by size: a file of that index alone.
-- name: export_unread plan=scan
SELECT size, inode, volume FROM file WHERE hash IS NULL AND size > 0 ORDER BY size, inode, volume;
