-- By host and volume: contents that are nowhere else, and those of which no other volume has a copy that
-- lasts, with the bytes that their inodes take on this volume.
--
-- A copy is elsewhere if another host has it where it lasts, on a volume that no second host names for
-- this content: a share, a carried disk, clones of one image, and a trash vouch for nobody.
-- A content of one host on two of its volumes is in the sums of both.
--
-- combine: sum by host, index_id, hash_id, volume
WITH places AS (
	SELECT hash_id, hash_hi, hash_lo, size, volume, MIN(index_id) AS first_index, MAX(index_id) AS last_index, MAX(lasting) AS lasting
	FROM keys
	GROUP BY hash_id, hash_hi, hash_lo, size, volume
), spread AS (
	SELECT hash_id, hash_hi, hash_lo, size,
		MIN(CASE WHEN first_index = last_index THEN first_index END) AS first_index,
		MAX(CASE WHEN first_index = last_index THEN last_index END) AS last_index,
		MIN(volume) AS first_volume, MAX(volume) AS last_volume
	FROM places
	WHERE lasting > 0
	GROUP BY hash_id, hash_hi, hash_lo, size
), judged AS (
	SELECT keys.host AS host, keys.index_id AS index_id, keys.hash_id AS hash_id, keys.volume AS volume,
		keys.size * keys.inodes AS bytes,
		CASE WHEN spread.first_index <> keys.index_id OR spread.last_index <> keys.index_id THEN 0 ELSE 1 END AS one_host,
		CASE WHEN spread.first_volume <> keys.volume OR spread.last_volume <> keys.volume THEN 0 ELSE 1 END AS one_volume
	FROM keys
	LEFT JOIN spread ON spread.hash_id = keys.hash_id AND spread.hash_hi = keys.hash_hi
		AND spread.hash_lo = keys.hash_lo AND spread.size = keys.size
)
SELECT host, index_id, hash_id, volume,
	CAST(SUM(one_host) AS BIGINT) AS contents_one_host, CAST(SUM(one_host * bytes) AS BIGINT) AS bytes_one_host,
	CAST(SUM(one_volume) AS BIGINT) AS contents_one_volume, CAST(SUM(one_volume * bytes) AS BIGINT) AS bytes_one_volume
FROM judged
WHERE one_host = 1 OR one_volume = 1
GROUP BY hash_id, host, index_id, volume
ORDER BY bytes_one_volume DESC, bytes_one_host DESC, host, index_id, hash_id, volume;
