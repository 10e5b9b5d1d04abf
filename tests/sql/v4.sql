-- What an index of version 4 has in another way than one of version 3: loaded behind v1.sql, v2.sql and v3.sql.
BEGIN TRANSACTION;
DROP VIEW volume_view;
DROP TABLE volume;
CREATE TABLE volume (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE,     -- "ext4:<fsid>", "xfs:<uuid>", "tmpfs:<mount point>" ...
	type TEXT NOT NULL,           -- name of the file system's type
	label TEXT,                   -- the name that people gave it, as name_show writes it
	capacity INTEGER,             -- bytes
	free INTEGER,                 -- bytes, when it was seen last
	seen INTEGER,                 -- seconds since 1970: a scan or refresh met it last
	place TEXT                    -- its mount point then, absolute, as name_show writes it
);
CREATE VIEW volume_view AS
SELECT id AS volume_id, key, type, label, capacity, free, seen, place FROM volume;
CREATE TABLE file_before (
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
	left_out INTEGER,             -- 1: its row went because options leave it out; it may be there still
	PRIMARY KEY (run, dir, name)
) WITHOUT ROWID;
CREATE TABLE dir_before (
	run INTEGER NOT NULL,
	dir INTEGER NOT NULL,
	parent INTEGER,               -- NULL: neither it nor any with a larger number was there
	name TEXT,                    -- as dir.name
	name_raw BLOB,
	PRIMARY KEY (dir, run)
) WITHOUT ROWID;
CREATE VIEW before_view AS
SELECT b.run AS scan_id,
       rtrim(d.path, '/') || '/' ||
       replace(b.name, CASE WHEN b.name_raw IS NULL THEN '' ELSE '/' END, '\') AS path,
       b.dir AS dir_id, b.name, b.name_raw, b.size, b.volume AS volume_id, b.inode, b.mtime, b.mtime_nsec,
       nullif(lower(hex(b.hash)), '') AS hash, b.head, b.left_out
  FROM file_before b LEFT JOIN dir_view d ON d.dir_id = b.dir;
INSERT INTO volume VALUES(1,'ext4:0011223344556677','ext4','old/xFFdisk',1000000000000,250000000000,1795232100,'/nonexistent/v1');
INSERT INTO volume VALUES(2,'tmpfs:tmpfs /nonexistent/v1','tmpfs',NULL,NULL,NULL,NULL,NULL);
INSERT INTO meta VALUES('history_from',3);
INSERT INTO meta VALUES('id',-7046029254386353131);
INSERT INTO file_before VALUES(4,2,'a',NULL,12,1,21,1795230000,852494305,NULL,x'5056248d2ed7a824b0efb903b25630a2',NULL);
INSERT INTO file_before VALUES(4,2,'fresh',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO file_before VALUES(4,8,'was/xFF',x'776173ff',100000,1,30,1795231868,852642618,445796544897586904,NULL,NULL);
INSERT INTO dir_before VALUES(4,8,2,'gone',NULL);
INSERT INTO dir_before VALUES(4,9,NULL,NULL,NULL);
COMMIT;
PRAGMA user_version=4;
