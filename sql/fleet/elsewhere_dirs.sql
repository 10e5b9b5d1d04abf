-- Directories whose every file, at and below them, is also elsewhere, and none of them unread.
-- Only the highest: what lies below one is not listed.  Files and bytes are those of dirs.
--
-- A copy is elsewhere if another host has it where it lasts, on a volume that no second host names for
-- this content: a share, a carried disk, clones of one image, and a trash vouch for nobody.
-- An empty file is nothing to lose; a directory without files is not listed.
--
-- Sorted by path and a slash, what lies below a directory follows it at once.  So the smallest path of
-- a bad one that is not before it tells whether one is below it.
--
-- covers: all files
-- combine: none (all at once)
WITH places AS (
	SELECT hash_id, hash_hi, hash_lo, size, volume, MIN(index_id) AS first_index, MAX(index_id) AS last_index, MAX(lasting) AS lasting
	FROM keys
	GROUP BY hash_id, hash_hi, hash_lo, size, volume
), own AS (
	SELECT hash_id, hash_hi, hash_lo, size, MIN(first_index) AS first_index, MAX(last_index) AS last_index
	FROM places
	WHERE first_index = last_index AND lasting > 0
	GROUP BY hash_id, hash_hi, hash_lo, size
), held AS (
	SELECT hash_id, host, index_id, hash_hi, hash_lo, size, SUM(inodes) AS inodes
	FROM keys
	GROUP BY hash_id, host, index_id, hash_hi, hash_lo, size
), judged AS (
	SELECT held.hash_id AS hash_id, held.host AS host, held.index_id AS index_id,
		held.hash_hi AS hash_hi, held.hash_lo AS hash_lo, held.size AS size, held.inodes AS inodes,
		CASE WHEN own.first_index <> held.index_id OR own.last_index <> held.index_id THEN 1 ELSE 0 END AS elsewhere
	FROM held
	LEFT JOIN own ON own.hash_id = held.hash_id AND own.hash_hi = held.hash_hi
		AND own.hash_lo = held.hash_lo AND own.size = held.size
), seen AS (
	SELECT hash_id, host, index_id, dir, parent, files, bytes, 0 AS bad
	FROM dirs
	UNION ALL
	SELECT files.hash_id AS hash_id, files.host AS host, files.index_id AS index_id, files.dir AS dir, NULL AS parent,
		0 AS files, 0 AS bytes, CASE WHEN files.size > 0 AND COALESCE(judged.elsewhere, 0) = 0 THEN 1 ELSE 0 END AS bad
	FROM files
	LEFT JOIN judged ON judged.hash_id = files.hash_id AND judged.index_id = files.index_id AND judged.host = files.host
		AND judged.hash_hi = files.hash_hi AND judged.hash_lo = files.hash_lo AND judged.size = files.size
), known AS (
	SELECT hash_id, host, index_id, dir, MAX(parent) AS parent, MAX(files) AS files, MAX(bytes) AS bytes, MAX(bad) AS bad,
		CASE WHEN dir = '/' THEN dir ELSE dir || '/' END AS below
	FROM seen
	GROUP BY hash_id, host, index_id, dir
), followed AS (
	SELECT hash_id, host, index_id, dir, parent, files, bytes, below,
		MIN(CASE WHEN bad = 1 THEN below END) OVER (PARTITION BY hash_id, host, index_id ORDER BY below DESC
			ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS next_bad
	FROM known
), whole AS (
	SELECT hash_id, host, index_id, dir, parent, files, bytes
	FROM followed
	WHERE next_bad IS NULL OR substr(next_bad, 1, length(below)) <> below
)
SELECT whole.host AS host, whole.index_id AS index_id, whole.hash_id AS hash_id, whole.dir AS dir,
	CAST(whole.files AS BIGINT) AS files, CAST(whole.bytes AS BIGINT) AS bytes
FROM whole
LEFT JOIN whole above ON above.hash_id = whole.hash_id AND above.host = whole.host AND above.index_id = whole.index_id
	AND above.dir = whole.parent AND above.dir <> whole.dir
WHERE above.dir IS NULL AND whole.files > 0
ORDER BY bytes DESC, host, index_id, hash_id, dir;
