-- What an index of version 6 has in another way than one of version 5: loaded behind v1.sql to v5.sql.
BEGIN TRANSACTION;
DROP VIEW before_view;
DROP TABLE file_before;
CREATE TABLE file_before (
	seq INTEGER PRIMARY KEY,      -- ascends with time, and so with run
	run INTEGER NOT NULL,         -- scan.id of the run that changed it; of acts: the next one
	dir INTEGER NOT NULL,
	name TEXT NOT NULL,           -- as file.name
	name_raw BLOB,                -- as file.name_raw
	size INTEGER CHECK (size IS NULL OR (typeof(size) = 'integer' AND size >= 0)), -- NULL: there was no such file
	volume INTEGER,
	inode INTEGER,
	mtime INTEGER,
	mtime_nsec INTEGER,
	head INTEGER,                 -- as file.head
	hash BLOB CHECK (hash IS NULL OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	left_out INTEGER              -- 1: its row went because options leave it out; it may be there still
);
CREATE VIEW before_view AS
SELECT b.run AS scan_id,
       rtrim(d.path, '/') || '/' ||
       replace(b.name, CASE WHEN b.name_raw IS NULL THEN '' ELSE '/' END, '\') AS path,
       b.dir AS dir_id, b.name, b.name_raw, b.size, b.volume AS volume_id, b.inode, b.mtime, b.mtime_nsec,
       nullif(lower(hex(b.hash)), '') AS hash, b.head, b.left_out
  FROM (SELECT *, row_number() OVER (PARTITION BY run, dir, name ORDER BY seq) AS nth FROM file_before) b
  LEFT JOIN dir_view d ON d.dir_id = b.dir
 WHERE b.nth = 1;
INSERT INTO file_before VALUES(1,4,8,'was/xFF',x'776173ff',100000,1,30,1795231868,852642618,445796544897586904,NULL,NULL);
INSERT INTO file_before VALUES(2,4,2,'fresh',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO file_before VALUES(3,4,2,'a',NULL,12,1,21,1795230000,852494305,NULL,x'5056248d2ed7a824b0efb903b25630a2',NULL);
INSERT INTO file_before VALUES(5,4,2,'a',NULL,13,1,21,1795230001,0,NULL,NULL,NULL);
INSERT INTO file_before VALUES(6,4,2,'fresh',NULL,7,1,40,1795230002,0,NULL,NULL,NULL);
PRAGMA user_version = 6;
COMMIT;
