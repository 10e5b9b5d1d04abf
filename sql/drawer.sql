-- What people call the disks of the index, and where they keep them (volumes --name).

-- The first name makes the table and its view; no version has them, or lacks them.
-- name: schema_drawer
-- One disk, by the volume that stood first in the index when it was named: volume.key tells it from others.
CREATE TABLE drawer (
	volume INTEGER PRIMARY KEY,
	name TEXT,                    -- of each of these: NULL for none
	place TEXT,
	note TEXT,
	changed INTEGER NOT NULL      -- seconds since 1970
);

-- name: views_drawer
CREATE VIEW drawer_view AS
SELECT d.volume AS volume_id, v.key, d.name, d.place, d.note, d.changed FROM drawer d JOIN volume v ON v.id = d.volume;

-- In its place for those who ask an index without names.
-- name: views_drawer_none
CREATE TEMP VIEW drawer_view AS
SELECT id AS volume_id, key, NULL AS name, NULL AS place, NULL AS note, NULL AS changed FROM main.volume WHERE 0;

-- All volumes, for subvolumes of one disk share its name.
-- name: drawer_all plan=scan
SELECT v.id, v.key, d.volume IS NOT NULL, d.name, d.place, d.note FROM volume v LEFT JOIN drawer d ON d.volume = v.id ORDER BY v.id;

-- What is NULL stays as it was; what is empty is dropped.
-- name: drawer_put
INSERT INTO drawer (volume, name, place, note, changed)
VALUES (:volume, nullif(:name, ''), nullif(:place, ''), nullif(:note, ''), :changed)
    ON CONFLICT (volume) DO UPDATE SET name = nullif(coalesce(:name, name), ''), place = nullif(coalesce(:place, place), ''),
       note = nullif(coalesce(:note, note), ''), changed = :changed;

-- name: drawer_drop_empty
DELETE FROM drawer WHERE volume = :volume AND coalesce(name, place, note) IS NULL;

-- Run by check where the table is there.
-- name: check_drawer plan=scan
SELECT 'drawer: it names no volume of the index', volume, 0, coalesce(name, '') FROM drawer
 WHERE volume NOT IN (SELECT id FROM volume) OR coalesce(name, place, note) IS NULL OR changed < 0 LIMIT 20;
