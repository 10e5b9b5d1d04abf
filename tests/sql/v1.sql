-- An index of version 1, as the sqlite3 shell dumps it; version1.sh says what it must answer.
-- Its two roots exist nowhere.  The secret is the bytes 00 to bf; contents are, by hash:
-- 5056... "same content" and a newline, 42f2... "one of a kind", 9010... 300,000 zero bytes,
-- cb50... "locked in!" and a newline, f784... "racy row" and a newline; big1 and big2 are
-- 100,000 times "1" and "2", of which only the heads were read.
PRAGMA page_size=8192;
PRAGMA journal_mode=WAL;
PRAGMA application_id=1417110648;
PRAGMA user_version=1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
	key TEXT PRIMARY KEY,    -- secret, algorithm, created, version, pending, racy_window
	value NOT NULL
);
INSERT INTO meta VALUES('secret',X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf');
INSERT INTO meta VALUES('algorithm','xxh3-128');
INSERT INTO meta VALUES('created',1795231750);
INSERT INTO meta VALUES('pending',0);
CREATE TABLE volume (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE,     -- "ext4:<fsid>", "xfs:<uuid>", "tmpfs:<mount point>" ...
	type TEXT NOT NULL            -- name of the file system's type
);
INSERT INTO volume VALUES(1,'ext4:0011223344556677','ext4');
INSERT INTO volume VALUES(2,'tmpfs:tmpfs /nonexistent/v1','tmpfs');
CREATE TABLE dir (
	id INTEGER PRIMARY KEY,
	parent INTEGER NOT NULL CHECK (typeof(parent) = 'integer'),
	name TEXT NOT NULL,           -- valid UTF-8; bytes that are not: "/xHH", which no name can hold
	name_raw BLOB,                -- the bytes, only where the name is not valid UTF-8
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	digest BLOB,                  -- of all its files' rows; equal digest, equal rows.  NULL: compare row by row
	error INTEGER                 -- errno of the last attempt to read it: its rows are older than the last scan
);
INSERT INTO dir VALUES(2,0,'/nonexistent/v1/photos',NULL,1,2,NULL,NULL);
INSERT INTO dir VALUES(3,2,'d/xfe',X'64fe',1,9007199254740993,X'1b6ce1af3d9e36ee6778935d661fafcc',NULL);
INSERT INTO dir VALUES(4,0,'/nonexistent/v1/b\xffck/',X'2f6e6f6e6578697374656e742f76312f62ff636b',2,-2,X'18c920f49d632095e4feac62680a4e05',NULL);
INSERT INTO dir VALUES(5,4,replace('new\nline','\n',char(10)),NULL,2,12,X'696f1c8da0c882b04202e73479c181b4',NULL);
INSERT INTO dir VALUES(6,2,'shut',NULL,1,13,NULL,13);
CREATE TABLE file (
	dir INTEGER NOT NULL,
	name TEXT NOT NULL,           -- as dir.name
	name_raw BLOB,                -- as dir.name_raw
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size >= 0),
	blocks INTEGER NOT NULL,      -- allocated, in units of 512 bytes
	volume INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	nlink INTEGER NOT NULL,
	mtime INTEGER NOT NULL,       -- seconds since 1970
	mtime_nsec INTEGER NOT NULL,
	ctime INTEGER NOT NULL,
	ctime_nsec INTEGER NOT NULL,
	head INTEGER,                 -- 64-bit hash of the first (and last) bytes of a big file
	hash BLOB CHECK (hash IS NULL OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	racy INTEGER NOT NULL,        -- 1: read so soon after a change that another may have gone unseen
	verified INTEGER,             -- seconds since 1970: compared byte by byte with the other copies
	error INTEGER,                -- why it could not be read: errno, or -1: it changed meanwhile
	PRIMARY KEY (dir, name)
) WITHOUT ROWID;
INSERT INTO file VALUES(2,'.hidden',NULL,1,8,1,20,1,1795231868,852755907,1795231868,852755907,NULL,NULL,0,NULL,NULL);
INSERT INTO file VALUES(2,'a',NULL,13,8,1,21,2,1795231868,852494305,1795231868,852522469,NULL,X'5056248d2ed7a824b0efb903b25630a2',0,1795231900,NULL);
INSERT INTO file VALUES(2,replace('b\nc','\n',char(10)),NULL,13,8,1,22,1,-2147483648,0,1795231868,999999999,NULL,X'5056248d2ed7a824b0efb903b25630a2',0,1795231900,NULL);
INSERT INTO file VALUES(2,'big1',NULL,100000,200,1,23,1,1795231868,852642618,1795231868,852642618,445796544897586904,NULL,0,NULL,NULL);
INSERT INTO file VALUES(2,'big2',NULL,100000,200,1,24,1,1795231868,852700534,1795231868,852700534,2893691146694305151,NULL,0,NULL,NULL);
INSERT INTO file VALUES(2,'empty',NULL,0,0,1,25,1,1795231868,852755907,1795231868,852755907,NULL,NULL,0,NULL,NULL);
INSERT INTO file VALUES(2,'hard',NULL,13,8,1,21,2,1795231868,852494305,1795231868,852522469,NULL,X'5056248d2ed7a824b0efb903b25630a2',0,1795231900,NULL);
INSERT INTO file VALUES(2,'huge',NULL,4611686018427387904,8,1,26,1,15032385535,0,1795231868,0,-1,NULL,0,NULL,NULL);
INSERT INTO file VALUES(2,'locked',NULL,11,8,1,27,1,1795231868,852832111,1795231868,852832111,NULL,NULL,0,NULL,13);
INSERT INTO file VALUES(2,'racy',NULL,9,8,1,28,1,1795231868,852811876,1795231868,852811876,NULL,X'f7841607f78e80c91bea4eb3dd4461bf',1,NULL,NULL);
INSERT INTO file VALUES(2,'shares',NULL,11,8,1,29,1,1795231868,852851088,1795231868,852851088,NULL,X'cb5069de9d80de72d1093ffb202d3ce5',0,NULL,NULL);
INSERT INTO file VALUES(3,'f/xff',X'66ff',13,8,1,-1,1,1795231868,852555264,1795231868,852555264,NULL,X'5056248d2ed7a824b0efb903b25630a2',0,1795231900,NULL);
INSERT INTO file VALUES(4,'alone',NULL,13,8,2,21,1,1795231868,853370617,1795231868,853370617,NULL,X'42f2d39b5c3baec5d57f28799cf57fd3',0,NULL,NULL);
INSERT INTO file VALUES(4,'zero1',NULL,300000,592,2,30,1,1795231868,852885740,1795231868,852885740,7934589410308628835,X'901015dbb613680727d012f023b83f90',0,NULL,NULL);
INSERT INTO file VALUES(5,'copy',NULL,13,8,2,31,1,1795231868,853346571,1795231868,853346571,NULL,X'5056248d2ed7a824b0efb903b25630a2',0,NULL,NULL);
INSERT INTO file VALUES(5,'zero2',NULL,300000,0,2,32,1,1795231868,853187254,1795231868,853187254,7934589410308628835,X'901015dbb613680727d012f023b83f90',0,NULL,NULL);
INSERT INTO file VALUES(6,'old',NULL,2,8,1,33,1,1700000000,0,1700000000,0,NULL,NULL,0,NULL,NULL);
CREATE TABLE root (
	id INTEGER PRIMARY KEY,
	dir INTEGER NOT NULL UNIQUE,
	hidden INTEGER NOT NULL,        -- 1: hidden files too
	one_fs INTEGER NOT NULL,        -- 1: stay on the root's volume
	trust_mtime INTEGER NOT NULL,   -- 1: a changed ctime alone is no change
	min_size INTEGER NOT NULL,      -- bytes; smaller files are skipped
	max_size INTEGER NOT NULL,      -- bytes; larger files are skipped
	scan INTEGER                    -- the last scan that finished here
);
INSERT INTO root VALUES(2,2,1,0,0,0,9223372036854775807,2);
INSERT INTO root VALUES(3,4,0,1,1,1,4611686018427387904,3);
CREATE TABLE root_exclude (
	root INTEGER NOT NULL,
	position INTEGER NOT NULL,
	pattern BLOB NOT NULL,
	PRIMARY KEY (root, position)
) WITHOUT ROWID;
INSERT INTO root_exclude VALUES(2,0,X'2a2e746d70');
INSERT INTO root_exclude VALUES(2,1,X'643f2f2a2e6f');
CREATE TABLE scan (
	id INTEGER PRIMARY KEY,
	command TEXT NOT NULL,          -- scan or refresh
	state TEXT NOT NULL,            -- running, finished, interrupted, failed, killed
	pid INTEGER NOT NULL,
	started INTEGER NOT NULL,       -- seconds since 1970
	finished INTEGER,
	options TEXT NOT NULL,
	files INTEGER, dirs INTEGER, bytes INTEGER,
	files_new INTEGER, files_changed INTEGER, files_gone INTEGER, files_reused INTEGER,
	files_read INTEGER, bytes_read INTEGER,
	files_skipped INTEGER, errors INTEGER,
	sets INTEGER, redundant INTEGER -- NULL where the rows changed since
);
INSERT INTO scan VALUES(1,'scan','killed',4711,1795231800,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO scan VALUES(2,'scan','finished',4712,1795231869,1795231871,'--hidden --exclude *.tmp --exclude d?/*.o',13,3,4611686018427588096,13,0,0,0,9,8290,1,2,NULL,NULL);
INSERT INTO scan VALUES(3,'scan','finished',4713,1795231930,1795231930,'--one-file-system --trust-mtime --min-size 1 --max-size 4611686018427387904',4,2,600026,4,0,0,0,5,632794,0,0,2,300039);
INSERT INTO scan VALUES(4,'refresh','interrupted',4714,1795231990,1795231995,'',2,1,26,0,0,0,2,0,0,0,0,NULL,NULL);
CREATE UNIQUE INDEX dir_name ON dir (parent, name);
CREATE INDEX file_link ON file (volume, inode) WHERE nlink > 1;
CREATE INDEX file_error ON file (size) WHERE error IS NOT NULL;
CREATE VIEW dir_view AS
WITH RECURSIVE tree (id, path, root_id, depth) AS (
	SELECT id, CASE name WHEN '/' THEN '/' ELSE rtrim(name, '/') END, id, 0
	  FROM dir WHERE parent = 0
	UNION ALL
	SELECT d.id,
	       rtrim(t.path, '/') || '/' ||
	       replace(d.name, CASE WHEN d.name_raw IS NULL THEN '' ELSE '/' END, '\'),
	       t.root_id, t.depth + 1
	  FROM tree t JOIN dir d ON d.parent = t.id)
SELECT t.id AS dir_id, t.path, d.parent AS parent_id, t.root_id AS top_id, t.depth,
       d.volume AS volume_id, d.inode, d.error
  FROM tree t JOIN dir d ON d.id = t.id;
CREATE VIEW file_view AS
SELECT rtrim(d.path, '/') || '/' ||
       replace(f.name, CASE WHEN f.name_raw IS NULL THEN '' ELSE '/' END, '\') AS path,
       f.dir AS dir_id, f.name, f.name_raw, f.size, f.blocks * 512 AS allocated,
       f.volume AS volume_id, f.inode, f.nlink,
       f.mtime, f.mtime_nsec, f.ctime, f.ctime_nsec,
       nullif(lower(hex(f.hash)), '') AS hash, f.head, f.racy, f.verified, f.error
  FROM file f JOIN dir_view d ON d.dir_id = f.dir;
CREATE VIEW set_view AS
SELECT size, lower(hex(hash)) AS hash,
       count(DISTINCT volume || ':' || inode) AS copies, count(*) AS names,
       size * (count(DISTINCT volume || ':' || inode) - 1) AS redundant
  FROM file
 WHERE hash IS NOT NULL AND size > 0
 GROUP BY size, file.hash
HAVING count(DISTINCT volume || ':' || inode) > 1;
CREATE VIEW dup_view AS
SELECT s.size, s.hash, s.copies, s.redundant, f.path, f.dir_id, f.name, f.name_raw,
       f.volume_id, f.inode, f.nlink, f.mtime, f.mtime_nsec
  FROM set_view s JOIN file_view f ON f.size = s.size AND f.hash = s.hash;
CREATE VIEW root_view AS
SELECT r.id AS root_id, d.path, r.hidden, r.one_fs, r.min_size, r.max_size, r.trust_mtime,
       r.scan AS scan_id
  FROM root r JOIN dir_view d ON d.dir_id = r.dir;
CREATE VIEW scan_view AS
SELECT id AS scan_id, command, state, pid, started, finished, options, files, dirs, bytes,
       files_new, files_changed, files_gone, files_reused, files_read, bytes_read,
       files_skipped, errors, sets, redundant
  FROM scan;
CREATE VIEW volume_view AS
SELECT id AS volume_id, key, type FROM volume;
CREATE INDEX file_content ON file (size, hash);
COMMIT;
