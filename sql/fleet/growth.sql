-- By host: contents and bytes of its two newest generations, and what came and went between them.
--
-- A content comes when its file is read first, which may be long after the file was made.  A host
-- with one generation is not listed.
--
-- combine: none (all at once)
WITH generations AS (
	SELECT hash_id, host, index_id, generation
	FROM keys_all
	GROUP BY hash_id, host, index_id, generation
), newest AS (
	SELECT hash_id, host, index_id, MAX(generation) AS generation
	FROM generations
	GROUP BY hash_id, host, index_id
), pairs AS (
	SELECT newest.hash_id AS hash_id, newest.host AS host, newest.index_id AS index_id,
		newest.generation AS generation, MAX(generations.generation) AS earlier
	FROM newest
	JOIN generations ON generations.hash_id = newest.hash_id AND generations.host = newest.host
		AND generations.index_id = newest.index_id AND generations.generation < newest.generation
	GROUP BY newest.hash_id, newest.host, newest.index_id, newest.generation
), held AS (
	SELECT pairs.hash_id AS hash_id, pairs.host AS host, pairs.index_id AS index_id,
		pairs.generation AS generation, pairs.earlier AS earlier,
		SUM(CASE WHEN keys_all.generation = pairs.generation THEN keys_all.size * keys_all.inodes ELSE 0 END) AS bytes_now,
		SUM(CASE WHEN keys_all.generation = pairs.earlier THEN keys_all.size * keys_all.inodes ELSE 0 END) AS bytes_before,
		MAX(CASE WHEN keys_all.generation = pairs.generation THEN 1 ELSE 0 END) AS is_now,
		MAX(CASE WHEN keys_all.generation = pairs.earlier THEN 1 ELSE 0 END) AS was_before
	FROM keys_all
	JOIN pairs ON pairs.hash_id = keys_all.hash_id AND pairs.host = keys_all.host AND pairs.index_id = keys_all.index_id
	WHERE keys_all.generation = pairs.generation OR keys_all.generation = pairs.earlier
	GROUP BY pairs.hash_id, pairs.host, pairs.index_id, pairs.generation, pairs.earlier,
		keys_all.hash_hi, keys_all.hash_lo, keys_all.size
)
SELECT host, index_id, hash_id, earlier, generation,
	CAST(SUM(was_before) AS BIGINT) AS contents_before, CAST(SUM(is_now) AS BIGINT) AS contents_now,
	CAST(SUM(is_now * (1 - was_before)) AS BIGINT) AS contents_new,
	CAST(SUM(was_before * (1 - is_now)) AS BIGINT) AS contents_gone,
	CAST(SUM(bytes_before) AS BIGINT) AS bytes_before, CAST(SUM(bytes_now) AS BIGINT) AS bytes_now,
	CAST(SUM(bytes_now) - SUM(bytes_before) AS BIGINT) AS growth
FROM held
GROUP BY hash_id, host, index_id, earlier, generation
ORDER BY growth DESC, host, index_id, hash_id;
