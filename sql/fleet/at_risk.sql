-- By host and volume: contents that are on one host alone, and those that are on one volume alone, with
-- the bytes that their inodes take on this volume.
--
-- A content of one host on two of its volumes is in the sums of both.
--
-- combine: sum by host, index_id, hash_id, volume
WITH spread AS (
	SELECT hash_id, hash_hi, hash_lo, size,
		CASE WHEN MIN(index_id) = MAX(index_id) THEN 1 ELSE 0 END AS one_host,
		CASE WHEN MIN(volume) = MAX(volume) THEN 1 ELSE 0 END AS one_volume
	FROM keys
	GROUP BY hash_id, hash_hi, hash_lo, size
)
SELECT keys.host AS host, keys.index_id AS index_id, keys.hash_id AS hash_id, keys.volume AS volume,
	CAST(SUM(spread.one_host) AS BIGINT) AS contents_one_host,
	CAST(SUM(spread.one_host * keys.size * keys.inodes) AS BIGINT) AS bytes_one_host,
	CAST(SUM(spread.one_volume) AS BIGINT) AS contents_one_volume,
	CAST(SUM(spread.one_volume * keys.size * keys.inodes) AS BIGINT) AS bytes_one_volume
FROM keys
JOIN spread ON spread.hash_id = keys.hash_id AND spread.hash_hi = keys.hash_hi
	AND spread.hash_lo = keys.hash_lo AND spread.size = keys.size
WHERE spread.one_host = 1 OR spread.one_volume = 1
GROUP BY keys.hash_id, keys.host, keys.index_id, keys.volume
ORDER BY bytes_one_volume DESC, bytes_one_host DESC, host, index_id, hash_id, volume;
