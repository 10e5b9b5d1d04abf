-- A plan of rm or link, as -n --json prints it: a document, and no table.

-- name: plan_valid
SELECT json_valid(:doc);

-- name: plan_head
SELECT json_extract(:doc, '$.schema_version'), json_extract(:doc, '$.command'), json_extract(:doc, '$.kind'),
       json_extract(:doc, '$.any_attributes'), json_extract(:doc, '$.copies'), json_extract(:doc, '$.digest'),
       json_extract(:doc, '$.exit'), json_extract(:doc, '$.planned'), json_extract(:doc, '$.backups_count'),
       json_extract(:doc, '$.from_backup');

-- The files that are to go, in order, each with the number of its place in the list, once for each
-- copy that it relies on: path, its bytes
-- where it is not UTF-8, state, and the same of the copy.
-- name: plan_files plan=scan
SELECT f.key,
       json_extract(f.value, '$.path'), json_extract(f.value, '$.path_b64'),
       json_extract(f.value, '$.inode') || ' ' || json_extract(f.value, '$.size') || ' ' || json_extract(f.value, '$.mtime_ns')
           || ' ' || json_extract(f.value, '$.ctime_ns') || ' ' || json_extract(f.value, '$.hash'),
       json_extract(k.value, '$.path'), json_extract(k.value, '$.path_b64'),
       json_extract(k.value, '$.inode') || ' ' || json_extract(f.value, '$.size') || ' ' || json_extract(k.value, '$.mtime_ns')
           || ' ' || json_extract(k.value, '$.ctime_ns') || ' ' || json_extract(f.value, '$.hash')
FROM json_each(:doc, '$.files') AS f LEFT JOIN json_each(f.value, '$.keepers') AS k
WHERE json_extract(f.value, '$.outcome') = 'planned';
