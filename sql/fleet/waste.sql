-- By host: the contents it has, their bytes, and which of these are redundant: within it, more inodes of a
-- content than one; across hosts, one inode of each content that is also elsewhere.
--
-- A copy is elsewhere if another host has it where it lasts, on a volume that no second host names for
-- this content: a share, a carried disk, clones of one image, and a trash vouch for nobody.
--
-- combine: sum by host, index_id, hash_id
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
)
SELECT host, index_id, hash_id, COUNT(*) AS contents, CAST(SUM(size * inodes) AS BIGINT) AS bytes,
	CAST(SUM(size * (inodes - 1)) AS BIGINT) AS redundant_within,
	CAST(SUM(elsewhere) AS BIGINT) AS contents_across, CAST(SUM(size * elsewhere) AS BIGINT) AS redundant_across
FROM judged
GROUP BY hash_id, host, index_id
ORDER BY redundant_across DESC, redundant_within DESC, host, index_id, hash_id;
