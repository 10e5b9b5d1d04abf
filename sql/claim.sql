-- What others say they have (import): claims about files, which are no copies.

-- The first import makes these; no version has them, or lacks them.
-- name: schema_claim
-- Whose claims: one listing.
CREATE TABLE claim_source (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL,           -- lsjson, sums, hashdeep, restic, borg, s3, efu, csv
	file TEXT NOT NULL,           -- where the listing lay, as name_show writes it; - for standard input
	imported INTEGER NOT NULL,    -- seconds since 1970
	made INTEGER,                 -- seconds since 1970: the listing is that old; NULL: unknown
	claims INTEGER NOT NULL,      -- files
	no_digest INTEGER NOT NULL,   -- of these, those without a digest
	bad INTEGER NOT NULL          -- records that could not be understood
);
-- A file that a source says it has.  Ids of a source are contiguous.
CREATE TABLE claim (
	id INTEGER PRIMARY KEY,
	source INTEGER NOT NULL,
	name TEXT NOT NULL,           -- a path, as file.name
	name_raw BLOB,                -- as file.name_raw
	size INTEGER,                 -- NULL: the listing does not say
	mtime INTEGER,                -- seconds since 1970, or NULL
	kind TEXT,                    -- of digest: md5, sha1, sha256, sha512, blake2b, twindex
	digest BLOB
);

-- Made anew behind the rows of a large import, which is faster than row by row.
-- name: schema_claim_index
CREATE INDEX claim_digest ON claim (digest, kind) WHERE digest IS NOT NULL;
CREATE INDEX claim_size ON claim (size) WHERE size IS NOT NULL;

-- The last one: no more claims than its number are there.
-- name: claim_last
SELECT coalesce(max(id), 0) FROM claim;

-- name: claim_index_drop
DROP INDEX IF EXISTS claim_digest;
DROP INDEX IF EXISTS claim_size;

-- name: claim_source_id
SELECT id FROM claim_source WHERE name = :name;

-- name: claim_source_add
INSERT INTO claim_source (name, kind, file, imported, made, claims, no_digest, bad)
VALUES (:name, :kind, :file, :imported, NULL, 0, 0, 0);

-- name: claim_source_end
UPDATE claim_source SET kind = :kind, made = :made, claims = :claims, no_digest = :no_digest, bad = :bad WHERE id = :id;

-- name: claim_source_drop
DELETE FROM claim_source WHERE id = :id;

-- name: claim_drop plan=scan
DELETE FROM claim WHERE source = :source;

-- For many; feed gives source, name, name_raw, size, mtime, kind, digest.
-- name: claim_put plan=scan
INSERT INTO claim (source, name, name_raw, size, mtime, kind, digest) SELECT c1, c2, c3, c4, c5, c6, c7 FROM feed;

-- Names that a source has more than once.
-- name: claim_twice plan=scan,sort
SELECT count(*) FROM (SELECT 1 FROM claim WHERE source = :source GROUP BY name HAVING count(*) > 1);

-- All sources by name.
-- name: claim_sources plan=scan
SELECT id, name, kind, file, imported, made, claims, no_digest, bad FROM claim_source ORDER BY name;

-- How many claims of a source have a digest of each kind.
-- name: claim_kinds plan=scan,sort
SELECT kind, count(*) FROM claim WHERE source = :source AND digest IS NOT NULL GROUP BY kind;

-- Claims of a digest, of one source or all; what differs in size is another file.
-- name: claim_by_digest plan=sort
SELECT s.name, s.kind, coalesce(s.made, s.imported), c.name, c.name_raw, c.kind, c.digest
  FROM claim c JOIN claim_source s ON s.id = c.source
 WHERE c.digest IS NOT NULL AND c.digest = :digest AND c.kind = :kind AND (c.size IS NULL OR c.size = :size)
   AND (:source IS NULL OR s.name = :source) ORDER BY c.id;

-- Claims of a size, of one source or all.
-- name: claim_by_size plan=sort
SELECT s.name, s.kind, coalesce(s.made, s.imported), c.name, c.name_raw, c.kind, c.digest
  FROM claim c JOIN claim_source s ON s.id = c.source
 WHERE c.size IS NOT NULL AND c.size = :size AND (:source IS NULL OR s.name = :source) ORDER BY c.id;

-- The kinds of digests of a source's claims of unknown size, once in a run; '' without one.
-- name: claim_sizeless plan=scan,sort
SELECT DISTINCT coalesce(kind, '') FROM claim WHERE source = (SELECT id FROM claim_source WHERE name = :source) AND size IS NULL;

-- Run by check where the tables are there.
-- name: check_claims plan=scan
SELECT 'claim: it has no source, or its digest is not as long as its kind', coalesce(size, -1), 0, name FROM claim
 WHERE source NOT IN (SELECT id FROM claim_source) OR size < 0 OR (kind IS NULL) <> (digest IS NULL)
    OR (digest IS NOT NULL AND length(digest) IS NOT
        CASE kind WHEN 'md5' THEN 16 WHEN 'sha1' THEN 20 WHEN 'sha256' THEN 32 WHEN 'sha512' THEN 64 WHEN 'blake2b' THEN 64
        WHEN 'twindex' THEN 16 END) LIMIT 20;

-- An element of a listing by rclone lsjson.  Columns of import_*: what it is, its name, type and
-- number of its size, its time, digests in the order of enum claim_kind; whether it is of the format.
-- name: import_lsjson
SELECT CASE json_extract(:line, '$.IsDir') WHEN 1 THEN 'dir' ELSE 'file' END, json_extract(:line, '$.Path'),
       typeof(json_extract(:line, '$.Size')), json_extract(:line, '$.Size'), CAST(strftime('%s', json_extract(:line, '$.ModTime')) AS INTEGER),
       coalesce(json_extract(:line, '$.Hashes.md5'), json_extract(:line, '$.Hashes.MD5')),
       coalesce(json_extract(:line, '$.Hashes.sha1'), json_extract(:line, '$.Hashes."SHA-1"')),
       coalesce(json_extract(:line, '$.Hashes.sha256'), json_extract(:line, '$.Hashes."SHA-256"')),
       coalesce(json_extract(:line, '$.Hashes.sha512'), json_extract(:line, '$.Hashes."SHA-512"')), NULL,
       json_type(:line, '$.Path') = 'text'
 WHERE json_valid(:line) AND json_type(:line) = 'object';

-- A line of restic ls --json; the first one is about the snapshot.
-- name: import_restic
SELECT CASE WHEN json_extract(:line, '$.struct_type') = 'snapshot' THEN 'snapshot' ELSE json_extract(:line, '$.type') END,
       json_extract(:line, '$.path'), typeof(coalesce(json_extract(:line, '$.size'), 0)), coalesce(json_extract(:line, '$.size'), 0),
       CAST(strftime('%s', coalesce(json_extract(:line, '$.mtime'), json_extract(:line, '$.time'))) AS INTEGER),
       NULL, NULL, NULL, NULL, NULL,
       json_extract(:line, '$.struct_type') = 'snapshot' OR json_type(:line, '$.path') = 'text' AND json_type(:line, '$.type') = 'text'
 WHERE json_valid(:line) AND json_type(:line) = 'object';

-- A line of borg list --json-lines.  Its times are local ones of another machine.
-- name: import_borg
SELECT CASE json_extract(:line, '$.type') WHEN '-' THEN 'file' ELSE 'other' END, json_extract(:line, '$.path'),
       typeof(json_extract(:line, '$.size')), json_extract(:line, '$.size'), NULL,
       json_extract(:line, '$.md5'), json_extract(:line, '$.sha1'), json_extract(:line, '$.sha256'),
       json_extract(:line, '$.sha512'), json_extract(:line, '$.blake2b'),
       json_type(:line, '$.path') = 'text' AND json_type(:line, '$.type') = 'text'
 WHERE json_valid(:line) AND json_type(:line) = 'object';
