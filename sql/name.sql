-- All names in the order of their bytes, and in which directories they are: where (src/index/name_index).

-- A scan that has come to its end makes them; no version has them, or lacks them.
-- name: schema_name
-- Names, each once and with a NUL behind, about 4 KB of them: two rows in a page.
CREATE TABLE name_block (
	id INTEGER PRIMARY KEY,       -- from 1 on, in the order of names
	first BLOB NOT NULL,          -- the first of them
	names BLOB NOT NULL
);
CREATE INDEX name_first ON name_block (first);

-- The places of the names of a block, a list for each name.  A place is twice the number of a directory
-- with a file of that name in it; or that and one, for a directory that has the name itself.  A list
-- ascends.  It holds the difference from the place before, twice; and one more unless it is the last:
-- numbers of 7 bits a byte, the lowest first.
CREATE TABLE name_place (
	id INTEGER PRIMARY KEY,       -- of the block
	places BLOB NOT NULL
);

-- What came since these were made.  What went since is still in them.
CREATE TABLE name_added (
	name BLOB NOT NULL,
	place INTEGER NOT NULL,
	PRIMARY KEY (name, place)
) WITHOUT ROWID;

-- name: schema_name_drop
DROP TABLE IF EXISTS name_block;
DROP TABLE IF EXISTS name_place;
DROP TABLE IF EXISTS name_added;

-- name: name_block_put
INSERT INTO name_block (id, first, names) VALUES (:id, :first, :names);

-- name: name_place_put
INSERT INTO name_place (id, places) VALUES (:id, :places);

-- name: name_added_put
INSERT OR IGNORE INTO name_added (name, place) VALUES (:name, :place);

-- Once in a run.
-- name: name_added_count plan=scan
SELECT count(*) FROM name_added;

-- The block that has a name if any has.
-- name: name_block_of
SELECT id, names FROM name_block WHERE id = (SELECT id FROM name_block WHERE first <= :name ORDER BY first DESC LIMIT 1);

-- name: name_blocks plan=scan
SELECT id, names FROM name_block ORDER BY id;

-- Those that may have a name that begins so.
-- name: name_blocks_from
SELECT id, names FROM name_block
 WHERE first >= coalesce((SELECT first FROM name_block WHERE first <= :name ORDER BY first DESC LIMIT 1), x'')
   AND (:behind IS NULL OR first < :behind) ORDER BY first;

-- name: name_places
SELECT places FROM name_place WHERE id = :id;

-- name: name_added_of
SELECT name, place FROM name_added WHERE name = :name;

-- name: name_added_from
SELECT name, place FROM name_added WHERE name >= :name AND (:behind IS NULL OR name < :behind);

-- name: name_added_all plan=scan
SELECT name, place FROM name_added;

-- Names with their places, of files and of directories.
-- name: name_of_files plan=scan
SELECT dir, name, name_raw FROM file;

-- name: name_of_dirs plan=scan
SELECT id, name, name_raw, parent FROM dir ORDER BY id;

-- name: file_size_at
SELECT size FROM file WHERE dir = :dir AND name = :name;
