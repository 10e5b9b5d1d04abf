-- The table that src/db/feed.c shows to statements: rows in memory.

-- columns feed: c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17

-- name: feed
CREATE TABLE feed ($(feed));
