-- Hosts whose every content is also elsewhere, and that have no unread file.
--
-- A copy is elsewhere if another host has it where it lasts, on a volume that no second host names for
-- this content: a share, a carried disk, clones of one image, and a trash vouch for nobody.
-- An empty file is nothing to lose.  The hosts come from sizes, so that one without a key in a
-- bucket is in that bucket's answer.
--
-- covers: all files
-- combine: sum by host, index_id, hash_id of those in every bucket
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
), hosts AS (
	SELECT hash_id, host, index_id, SUM(CASE WHEN size > 0 THEN unread ELSE 0 END) AS unread
	FROM sizes
	GROUP BY hash_id, host, index_id
), sums AS (
	SELECT hash_id, host, index_id, COUNT(*) AS contents, SUM(size * inodes) AS bytes, SUM(1 - elsewhere) AS missing
	FROM judged
	GROUP BY hash_id, host, index_id
)
SELECT hosts.host AS host, hosts.index_id AS index_id, hosts.hash_id AS hash_id,
	CAST(COALESCE(sums.contents, 0) AS BIGINT) AS contents, CAST(COALESCE(sums.bytes, 0) AS BIGINT) AS bytes
FROM hosts
LEFT JOIN sums ON sums.hash_id = hosts.hash_id AND sums.host = hosts.host AND sums.index_id = hosts.index_id
WHERE hosts.unread = 0 AND COALESCE(sums.missing, 0) = 0
ORDER BY bytes DESC, host, index_id, hash_id;
