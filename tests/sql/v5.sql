-- What an index of version 5 has in another way than one of version 4: loaded behind v1.sql to v4.sql.
BEGIN TRANSACTION;
DROP TABLE file;
CREATE TABLE file (
	dir INTEGER NOT NULL,
	name TEXT NOT NULL,           -- as dir.name
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size >= 0),
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	ctime INTEGER NOT NULL,       -- seconds since 1970
	ctime_nsec INTEGER NOT NULL,
	hash BLOB CHECK (hash IS NULL OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	head INTEGER,                 -- 64-bit hash of the first (and last) bytes of a big file
	own_mtime_nsec INTEGER,       -- NULL: ctime_nsec
	own_mtime INTEGER,            -- NULL: ctime
	own_blocks INTEGER,           -- NULL: as many as hold the size in blocks of 4 KiB
	nlink INTEGER NOT NULL DEFAULT 1,
	racy INTEGER NOT NULL DEFAULT 0, -- 1: read so soon after a change that another may have gone unseen
	name_raw BLOB,                -- as dir.name_raw
	verified INTEGER,             -- seconds since 1970: compared byte by byte with the other copies
	error INTEGER,                -- why it could not be read: errno, or -1: it changed meanwhile
	mtime INTEGER AS (coalesce(own_mtime, ctime)),
	mtime_nsec INTEGER AS (coalesce(own_mtime_nsec, ctime_nsec)),
	blocks INTEGER AS (coalesce(own_blocks, -(-size >> 12) * 8)), -- of 512 bytes
	PRIMARY KEY (dir, name)
) WITHOUT ROWID;
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'.hidden',NULL,1,NULL,1,20,1,NULL,NULL,1795231868,852755907,NULL,NULL,0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'a',NULL,13,NULL,1,21,2,NULL,852494305,1795231868,852522469,NULL,X'5056248D2ED7A824B0EFB903B25630A2',0,1795231900,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,replace('b\nc','\n',char(10)),NULL,13,NULL,1,22,1,-2147483648,0,1795231868,999999999,NULL,X'5056248D2ED7A824B0EFB903B25630A2',0,1795231900,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'big1',NULL,100000,NULL,1,23,1,NULL,NULL,1795231868,852642618,445796544897586904,NULL,0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'big2',NULL,100000,NULL,1,24,1,NULL,NULL,1795231868,852700534,2893691146694305151,NULL,0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'empty',NULL,0,NULL,1,25,1,NULL,NULL,1795231868,852755907,NULL,NULL,0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'hard',NULL,13,NULL,1,21,2,NULL,852494305,1795231868,852522469,NULL,X'5056248D2ED7A824B0EFB903B25630A2',0,1795231900,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'huge',NULL,4611686018427387904,8,1,26,1,15032385535,NULL,1795231868,0,-1,NULL,0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'locked',NULL,11,NULL,1,27,1,NULL,NULL,1795231868,852832111,NULL,NULL,0,NULL,13);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'racy',NULL,9,NULL,1,28,1,NULL,NULL,1795231868,852811876,NULL,X'F7841607F78E80C91BEA4EB3DD4461BF',1,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(2,'shares',NULL,11,NULL,1,29,1,NULL,NULL,1795231868,852851088,NULL,X'CB5069DE9D80DE72D1093FFB202D3CE5',0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(3,'f/xff',X'66FF',13,NULL,1,-1,1,NULL,NULL,1795231868,852555264,NULL,X'5056248D2ED7A824B0EFB903B25630A2',0,1795231900,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(4,'alone',NULL,13,NULL,2,21,1,NULL,NULL,1795231868,853370617,NULL,X'42F2D39B5C3BAEC5D57F28799CF57FD3',0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(4,'zero1',NULL,300000,NULL,2,30,1,NULL,NULL,1795231868,852885740,7934589410308628835,X'901015DBB613680727D012F023B83F90',0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(5,'copy',NULL,13,NULL,2,31,1,NULL,NULL,1795231868,853346571,NULL,X'5056248D2ED7A824B0EFB903B25630A2',0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(5,'zero2',NULL,300000,0,2,32,1,NULL,NULL,1795231868,853187254,7934589410308628835,X'901015DBB613680727D012F023B83F90',0,NULL,NULL);
INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
	VALUES(6,'old',NULL,2,NULL,1,33,1,NULL,NULL,1700000000,0,NULL,NULL,0,NULL,NULL);
CREATE INDEX file_error ON file (size) WHERE error IS NOT NULL;
CREATE INDEX file_content ON file (size, hash, inode, volume) WHERE hash IS NOT NULL;
CREATE INDEX file_unread ON file (size, inode, volume) WHERE hash IS NULL;
PRAGMA user_version = 5;
COMMIT;
