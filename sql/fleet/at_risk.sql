-- By host and volume: contents of which no other host has a copy that lasts, and those of which no other
-- volume has one, with the bytes that their inodes take on this volume.
--
-- A content of one host on two of its volumes is in the sums of both.
--
-- combine: sum by host, index_id, hash_id, volume
WITH spread AS (
	SELECT hash_id, hash_hi, hash_lo, size,
		MIN(CASE WHEN lasting > 0 THEN index_id END) AS first_index, MAX(CASE WHEN lasting > 0 THEN index_id END) AS last_index,
		MIN(CASE WHEN lasting > 0 THEN volume END) AS first_volume, MAX(CASE WHEN lasting > 0 THEN volume END) AS last_volume
	FROM keys
	GROUP BY hash_id, hash_hi, hash_lo, size
), judged AS (
	SELECT keys.host AS host, keys.index_id AS index_id, keys.hash_id AS hash_id, keys.volume AS volume,
		keys.size * keys.inodes AS bytes,
		CASE WHEN COALESCE(spread.first_index, keys.index_id) = keys.index_id
			AND COALESCE(spread.last_index, keys.index_id) = keys.index_id THEN 1 ELSE 0 END AS one_host,
		CASE WHEN COALESCE(spread.first_volume, keys.volume) = keys.volume
			AND COALESCE(spread.last_volume, keys.volume) = keys.volume THEN 1 ELSE 0 END AS one_volume
	FROM keys
	JOIN spread ON spread.hash_id = keys.hash_id AND spread.hash_hi = keys.hash_hi
		AND spread.hash_lo = keys.hash_lo AND spread.size = keys.size
)
SELECT host, index_id, hash_id, volume,
	CAST(SUM(one_host) AS BIGINT) AS contents_one_host, CAST(SUM(one_host * bytes) AS BIGINT) AS bytes_one_host,
	CAST(SUM(one_volume) AS BIGINT) AS contents_one_volume, CAST(SUM(one_volume * bytes) AS BIGINT) AS bytes_one_volume
FROM judged
WHERE one_host = 1 OR one_volume = 1
GROUP BY hash_id, host, index_id, volume
ORDER BY bytes_one_volume DESC, bytes_one_host DESC, host, index_id, hash_id, volume;
