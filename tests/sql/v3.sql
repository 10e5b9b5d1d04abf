-- What an index of version 3 has in another way than one of version 2: loaded behind v1.sql and v2.sql.
BEGIN TRANSACTION;
DROP INDEX file_link;
DROP INDEX file_content;
DROP VIEW dup_view;
CREATE INDEX file_content ON file (size, hash, inode, volume) WHERE hash IS NOT NULL;
CREATE INDEX file_unread ON file (size, inode, volume) WHERE hash IS NULL;
CREATE VIEW dup_view AS
SELECT s.size, lower(hex(s.hash)) AS hash, s.copies, s.size * (s.copies - 1) AS redundant,
       rtrim(d.path, '/') || '/' ||
       replace(f.name, CASE WHEN f.name_raw IS NULL THEN '' ELSE '/' END, '\') AS path,
       f.dir AS dir_id, f.name, f.name_raw, f.volume AS volume_id, f.inode, f.nlink, f.mtime, f.mtime_nsec
  FROM (SELECT size, hash, count(DISTINCT volume || ':' || inode) AS copies
          FROM file WHERE hash IS NOT NULL AND size > 0 GROUP BY size, hash) AS s
  JOIN file f ON f.size = s.size AND f.hash = s.hash
  JOIN dir_view d ON d.dir_id = f.dir
 WHERE s.copies > 1;
COMMIT;
PRAGMA user_version=3;
