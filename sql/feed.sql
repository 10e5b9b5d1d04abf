-- The table that src/db/feed.c shows to statements: rows in memory.

-- name: feed
CREATE TABLE feed (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17);

-- Entries of the indexes on contents, in order.
-- name: load_content plan=scan
INSERT INTO load_content (size, hash, inode, volume, dir, name) SELECT c1, c2, c3, c4, c5, c6 FROM feed;

-- name: load_unread plan=scan
INSERT INTO load_unread (size, inode, volume, dir, name) SELECT c1, c3, c4, c5, c6 FROM feed;
