-- Contents that two or more hosts have, those with the most waste first.
--
-- A volume that several hosts name by one key (a share, a disk that was carried, clones of one
-- image) counts once: with the most inodes and names that one host has there.
--
-- combine: concat
WITH places AS (
	SELECT hash_id, hash_hi, hash_lo, size, volume, MAX(inodes) AS inodes, MAX(names) AS names
	FROM keys
	GROUP BY hash_id, hash_hi, hash_lo, size, volume
), contents AS (
	SELECT hash_id, hash_hi, hash_lo, size, COUNT(*) AS volumes, SUM(inodes) AS inodes, SUM(names) AS names
	FROM places
	GROUP BY hash_id, hash_hi, hash_lo, size
), spread AS (
	SELECT hash_id, hash_hi, hash_lo, size, COUNT(DISTINCT index_id) AS hosts
	FROM keys
	GROUP BY hash_id, hash_hi, hash_lo, size
	HAVING MIN(index_id) < MAX(index_id)
)
SELECT spread.hash_id AS hash_id, spread.hash_hi AS hash_hi, spread.hash_lo AS hash_lo, spread.size AS size,
	spread.hosts AS hosts, contents.volumes AS volumes,
	CAST(contents.inodes AS BIGINT) AS inodes, CAST(contents.names AS BIGINT) AS names,
	CAST(spread.size * (contents.inodes - 1) AS BIGINT) AS waste
FROM spread
JOIN contents ON contents.hash_id = spread.hash_id AND contents.hash_hi = spread.hash_hi
	AND contents.hash_lo = spread.hash_lo AND contents.size = spread.size
ORDER BY waste DESC, hash_id, hash_hi, hash_lo, size;
