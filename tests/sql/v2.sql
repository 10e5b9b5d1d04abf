-- What an index of version 2 has beyond one of version 1: loaded behind v1.sql, whose files these
-- marks are about; version2.sh says what it must answer.  The path of the second one ends in
-- d, fe, slash, f, ff.
BEGIN TRANSACTION;
CREATE TABLE mark (
	path BLOB NOT NULL PRIMARY KEY, -- absolute; the bytes
	shown TEXT NOT NULL,            -- the path as file_view shows it
	decision TEXT NOT NULL CHECK (decision IN ('drop', 'keep')),
	size INTEGER NOT NULL CHECK (typeof(size) = 'integer' AND size >= 0),
	mtime_ns INTEGER NOT NULL,      -- stands for the content where there is no hash
	hash BLOB CHECK ((hash IS NULL AND decision = 'keep') OR (typeof(hash) = 'blob' AND length(hash) = 16)),
	made INTEGER NOT NULL           -- seconds since 1970
) WITHOUT ROWID;
CREATE TABLE mark_log (
	batch INTEGER NOT NULL,
	path BLOB NOT NULL,
	shown TEXT,
	decision TEXT,                  -- NULL: it had none
	size INTEGER,
	mtime_ns INTEGER,
	hash BLOB,
	made INTEGER,
	PRIMARY KEY (batch, path)
) WITHOUT ROWID;
INSERT INTO mark VALUES(X'2f6e6f6e6578697374656e742f76312f70686f746f732f61','/nonexistent/v1/photos/a','drop',13,1795231868852494305,X'5056248d2ed7a824b0efb903b25630a2',1795232000);
INSERT INTO mark VALUES(X'2f6e6f6e6578697374656e742f76312f70686f746f732f64fe2f66ff','/nonexistent/v1/photos/d\xfe/f\xff','drop',13,1795231868852494305,X'5056248d2ed7a824b0efb903b25630a2',1795232001);
INSERT INTO mark VALUES(X'2f6e6f6e6578697374656e742f76312f70686f746f732f62696731','/nonexistent/v1/photos/big1','keep',100000,1795231868852642618,NULL,1795232002);
INSERT INTO mark VALUES(X'2f6e6f6e6578697374656e742f76312f70686f746f732f62696732','/nonexistent/v1/photos/big2','keep',100000,1,NULL,1795232002);
INSERT INTO mark VALUES(X'2f6e6f6e6578697374656e742f76312f70686f746f732f72616379','/nonexistent/v1/photos/racy','keep',9,1795231868852811876,X'5056248d2ed7a824b0efb903b25630a2',1795232002);
INSERT INTO mark VALUES(X'2f6e6f6e6578697374656e742f76312f70686f746f732f76616e6973686564','/nonexistent/v1/photos/vanished','drop',4611686018427387904,-1,X'42f2d39b5c3baec5d57f28799cf57fd3',1795232003);
INSERT INTO mark_log VALUES(7,X'2f6e6f6e6578697374656e742f76312f70686f746f732f61',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO mark_log VALUES(7,X'2f6e6f6e6578697374656e742f76312f70686f746f732f68617264','/nonexistent/v1/photos/hard','keep',13,1795231868852494305,X'5056248d2ed7a824b0efb903b25630a2',1795231999);
INSERT INTO mark_log VALUES(9,X'2f6e6f6e6578697374656e742f76312f70686f746f732f64fe2f66ff','/nonexistent/v1/photos/d\xfe/f\xff','keep',13,5,NULL,1795231998);
CREATE VIEW mark_view AS
SELECT shown AS path, CASE WHEN path <> CAST(shown AS BLOB) THEN path END AS path_raw,
       decision, size, mtime_ns, nullif(lower(hex(hash)), '') AS hash, made
  FROM mark;
COMMIT;
PRAGMA user_version=2;
