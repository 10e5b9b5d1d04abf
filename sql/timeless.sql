-- Volumes whose files keep no time of change of their own (index/timeless).

-- name: timeless_since plan=scan
SELECT CAST(substr(key, 7) AS INTEGER) FROM meta WHERE substr(key, 1, 6) = 'ctime:' AND value > 0 AND value < :since;

-- Whether a volume has files, and whether one of them has a ctime other than its mtime.
-- name: timeless_files plan=scan
SELECT EXISTS (SELECT 1 FROM file WHERE volume = :volume),
       EXISTS (SELECT 1 FROM file WHERE volume = :volume AND (ctime <> mtime OR ctime_nsec <> mtime_nsec));

-- name: timeless_validated plan=scan
UPDATE meta SET value = max(value, coalesce(
       (SELECT min(CASE WHEN v.error IS NULL AND v.hash = f.hash THEN coalesce(v.good, 0) ELSE 0 END) FROM file f LEFT JOIN validated v ON v.volume = f.volume AND v.inode = f.inode
         WHERE f.volume = CAST(substr(meta.key, 7) AS INTEGER) AND f.hash IS NOT NULL), 0))
 WHERE substr(key, 1, 6) = 'ctime:' AND value > 0;
