-- What the index knows of itself: meta data, volumes, roots, the journal.

-- name: meta_get
SELECT value FROM meta WHERE key = :key;

-- name: meta_put
INSERT INTO meta (key, value) VALUES (:key, :value)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: meta_delete
DELETE FROM meta WHERE key = :key;

-- meta's "ground.N": volume N is an image in a file, on the file system with this key, which need not be a volume.
-- name: volume_all plan=scan
SELECT id, key, type, (SELECT value FROM meta WHERE key = 'ground.' || volume.id) FROM volume ORDER BY id;

-- name: volume_ground_put
INSERT INTO meta (key, value) VALUES ('ground.' || :id, :ground) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: volume_ground_delete
DELETE FROM meta WHERE key = 'ground.' || :id;

-- meta's "shared.N": into directory N others may write, and none but the owner of a file there may remove it; the
-- value is the user who owns all files there, or -1 if several do.
-- name: shared_dirs
SELECT CAST(substr(key, 8) AS INTEGER), value FROM meta WHERE key > 'shared.' AND key < 'shared/';

-- name: shared_dir_put
INSERT INTO meta (key, value) VALUES ('shared.' || :dir, :owner) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: shared_dir_delete
DELETE FROM meta WHERE key = 'shared.' || :dir;

-- meta's "changes.S.V": what sys/changes had of volume V before scan S; of volume 0 the mount points.
-- name: changes_get
SELECT value FROM meta WHERE key = 'changes.' || :scan || '.' || :volume;

-- name: changes_put
INSERT INTO meta (key, value) VALUES ('changes.' || :scan || '.' || :volume, :value)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: changes_drop
DELETE FROM meta WHERE key > 'changes.' AND key < 'changes/';

-- name: changes_drop_old plan=scan
DELETE FROM meta
 WHERE key > 'changes.' AND key < 'changes/' AND CAST(substr(key, 9) AS INTEGER) NOT IN (SELECT coalesce(scan, 0) FROM root);

-- name: volume_put
INSERT INTO volume (id, key, type) VALUES (:id, :key, :type);

-- The same that several indexes have.
-- name: volume_join
INSERT INTO volume (id, key, type) VALUES (:id, :key, :type) ON CONFLICT (id) DO NOTHING;

-- What is known of volumes since version 4.
-- name: volume_details plan=scan
SELECT id, label, capacity, free, seen, place FROM volume;

-- A volume that is here.  What can't be found out now stays as it was; an empty label is none.
-- name: volume_seen
UPDATE volume SET label = nullif(coalesce(:label, label), ''), capacity = coalesce(:capacity, capacity), free = coalesce(:free, free),
       seen = :seen, place = coalesce(:place, place) WHERE id = :id;

-- Where volumes begin: tops, and directories on another volume than what they lie in.
-- name: volume_places plan=scan
SELECT d.id, d.volume, d.inode, (SELECT key FROM volume v WHERE v.id = d.volume)
  FROM dir d LEFT JOIN dir p ON p.id = d.parent
 WHERE p.id IS NULL OR p.volume <> d.volume
 ORDER BY d.id;

-- name: root_all plan=scan
SELECT id, dir, hidden, one_fs, trust_mtime, min_size, max_size, scan FROM root ORDER BY id;

-- name: root_put
INSERT INTO root (dir, hidden, one_fs, trust_mtime, min_size, max_size)
VALUES (:dir, :hidden, :one_fs, :trust_mtime, :min_size, :max_size)
    ON CONFLICT (dir) DO UPDATE SET hidden = excluded.hidden, one_fs = excluded.one_fs,
       trust_mtime = excluded.trust_mtime, min_size = excluded.min_size, max_size = excluded.max_size;

-- name: root_of_dir
SELECT id FROM root WHERE dir = :dir;

-- name: root_scanned
UPDATE root SET scan = :scan WHERE id = :root;

-- name: root_delete
DELETE FROM root WHERE dir = :dir;

-- name: root_exclude_all plan=scan
SELECT root, pattern, position FROM root_exclude ORDER BY root, position;

-- name: root_exclude_put
INSERT INTO root_exclude (root, position, pattern) VALUES (:root, :position, :pattern);

-- The patterns, and the options that root_put has; what lies below these stays with the root.
-- name: root_exclude_clear
DELETE FROM root_exclude WHERE root = :root AND position >= :last;

-- Options that no pattern of a root is, by roots.
-- name: root_options plan=scan
SELECT root, pattern, position FROM root_exclude WHERE position < 0 ORDER BY root, position;

-- name: root_option_drop
DELETE FROM root_exclude WHERE root = :root AND position = :position;

-- Patterns of roots that are no more.
-- name: root_exclude_orphans plan=scan
DELETE FROM root_exclude WHERE root NOT IN (SELECT id FROM root);

-- name: scan_begin
INSERT INTO scan (command, state, pid, started, options)
VALUES (:command, 'running', :pid, :started, :options) RETURNING id;

-- name: scan_end
UPDATE scan SET state = :state, finished = :finished, files = :files, dirs = :dirs, bytes = :bytes,
       files_new = :files_new, files_changed = :files_changed, files_gone = :files_gone,
       files_reused = :files_reused, files_read = :files_read, bytes_read = :bytes_read,
       files_skipped = :files_skipped, errors = :errors, sets = :sets, redundant = :redundant
 WHERE id = :scan;

-- A run that is still "running" when another one holds the lock was killed, but for a validate,
-- which locks only to write: unless :all.
-- name: scan_killed plan=scan
UPDATE scan SET state = 'killed' WHERE state = 'running' AND (:all OR command <> 'validate');

-- name: scan_running plan=scan
SELECT EXISTS (SELECT 1 FROM scan WHERE state = 'running');

-- What is told of a run.
-- columns run: id, command, state, started, finished, files, dirs, bytes, files_read, bytes_read, errors, options

-- name: scan_recent plan=scan
SELECT $(run) FROM scan ORDER BY id DESC LIMIT 1 OFFSET :skip;

-- name: scan_get
SELECT $(run) FROM scan WHERE id = :scan;

-- The last that may have met changes.
-- name: scan_finished plan=scan
SELECT coalesce(max(id), 0) FROM scan WHERE state = 'finished' AND command IN ('scan', 'refresh');

-- name: scan_ended plan=scan
SELECT coalesce(max(id), 0) FROM scan WHERE coalesce(finished, started) <= :time;

-- name: scan_totals plan=scan
SELECT sets, redundant FROM scan WHERE sets IS NOT NULL ORDER BY id DESC LIMIT 1;

-- The rows changed: totals in the journal are no longer those of the index.
-- name: scan_totals_forget plan=scan
UPDATE scan SET sets = NULL, redundant = NULL WHERE sets IS NOT NULL;

-- name: index_counts plan=scan
SELECT (SELECT count(*) FROM file), (SELECT count(*) FROM dir);
