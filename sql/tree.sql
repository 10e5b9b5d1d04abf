-- The tree of directories.

-- A whole row.
-- columns dir: id, parent, name, name_raw, volume, inode, digest, error

-- name: dir_all plan=scan
SELECT $(dir) FROM dir;

-- name: dir_tree plan=scan
SELECT id, parent, name, name_raw, volume FROM dir ORDER BY id;

-- Directories that could not be read.
-- name: dir_errors plan=scan
SELECT id FROM dir WHERE error IS NOT NULL;

-- name: dir_volumes plan=scan
SELECT id, volume FROM dir;

-- name: dir_inodes plan=scan
SELECT id, inode FROM dir;

-- Without one, whatever begins at parent 0 and follows parents ends: every directory has one parent.
-- name: dir_any_unnumbered
SELECT EXISTS (SELECT 1 FROM dir WHERE id <= 0);

-- name: dir_tops
SELECT id, name, name_raw, volume, inode FROM dir WHERE parent = 0 ORDER BY name;

-- name: dir_child
SELECT id FROM dir WHERE parent = :parent AND name = :name;

-- name: dir_get
SELECT parent, name, name_raw, volume, inode, error FROM dir WHERE id = :dir;

-- name: dir_children
SELECT id, name, name_raw FROM dir WHERE parent = :parent ORDER BY name;

-- All entries by which directories that belong together are known: those of src/index/wholes.c.
-- name: whole_entries plan=scan
SELECT dir, name FROM file WHERE name IN ('.git', 'HEAD', 'pyvenv.cfg', 'prefs.js', 'compatibility.ini')
 UNION ALL
SELECT parent, name FROM dir WHERE parent > 0 AND name IN
       ('.git', 'objects', 'refs', '.hg', '.svn', 'conda-meta', 'cur', 'new', 'tmp', 'Contents');

-- name: whole_named plan=scan
SELECT dir FROM file WHERE name = :name
 UNION ALL
SELECT parent FROM dir WHERE parent > 0 AND name = :name;

-- Whether neither a file nor a directory hangs from it.
-- name: dir_is_empty
SELECT NOT EXISTS (SELECT 1 FROM file WHERE dir = :dir) AND NOT EXISTS (SELECT 1 FROM dir WHERE parent = :dir);

-- A directory and all below it, each behind its parent and beside its siblings, and whether it has files.
-- name: dir_below plan=scan
WITH RECURSIVE below (id, parent) AS (
	SELECT id, parent FROM dir WHERE id = :dir
	UNION ALL
	SELECT d.id, d.parent FROM below b JOIN dir d ON d.parent = b.id)
SELECT b.id, b.parent, d.name, d.name_raw, EXISTS (SELECT 1 FROM file WHERE dir = b.id) FROM below b JOIN dir d ON d.id = b.id;

-- Names that begin with :from; :to is the first text behind all of those.
-- name: dir_named
SELECT name, name_raw FROM dir WHERE parent = :dir AND name >= :from AND name < :to ORDER BY name;

-- The last ones first.
-- name: dir_named_last
SELECT name, name_raw FROM dir WHERE parent = :dir AND name >= :from AND name < :to ORDER BY name DESC;

-- For one or many; feed gives the columns.  WHERE keeps ON from being taken for a join's.
-- name: dir_put plan=scan
INSERT INTO dir ($(dir))
SELECT c1, c2, c3, c4, c5, c6, c7, c8 FROM feed WHERE true
    ON CONFLICT (id) DO UPDATE SET parent = excluded.parent, name = excluded.name,
       name_raw = excluded.name_raw, volume = excluded.volume, inode = excluded.inode,
       digest = excluded.digest, error = excluded.error;

-- The row of another index, or of a directory that came back.
-- name: dir_join
INSERT INTO dir (id, parent, name, name_raw, volume, inode, error)
VALUES (:id, :parent, :name, :name_raw, :volume, :inode, :error);

-- A directory that has a place which another one takes is moved aside, unless it is there no more.
-- name: dir_move_aside
UPDATE dir SET parent = :new_parent, name = :new_name, name_raw = :new_raw
 WHERE id = :dir AND parent = :parent AND name = :name;

-- name: dir_hang
UPDATE dir SET parent = :parent, name = :name, name_raw = :raw WHERE id = :dir;

-- name: dir_error
UPDATE dir SET error = :error, digest = NULL WHERE id = :dir;

-- Its rows are to be compared one by one next time.
-- name: dir_digest_forget
UPDATE dir SET digest = NULL WHERE id = :dir AND digest IS NOT NULL;

-- The directories of the names of inodes, from feed as for file_set_links.
-- name: dir_digest_forget_links plan=scan
UPDATE dir SET digest = NULL
 WHERE digest IS NOT NULL
   AND id IN (SELECT file.dir FROM feed CROSS JOIN file
               WHERE file.size = c4 AND file.hash = c14 AND file.inode = c7 AND file.volume = c6);

-- name: dir_delete
DELETE FROM dir WHERE id = :dir;

-- name: dir_volume
SELECT volume FROM dir WHERE id = :dir;

-- name: dir_volume_key
SELECT v.key FROM dir d JOIN volume v ON v.id = d.volume WHERE d.id = :dir;
