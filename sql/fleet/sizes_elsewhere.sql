-- Sizes that two or more hosts have: twindex scan --hash-sizes reads every file of them, so that keys
-- tell of copies on other hosts.
--
-- combine: none (all at once)
SELECT DISTINCT size
FROM (
	SELECT hash_id, size
	FROM sizes
	WHERE size > 0
	GROUP BY hash_id, size
	HAVING MIN(index_id) < MAX(index_id)
) shared
ORDER BY size;
