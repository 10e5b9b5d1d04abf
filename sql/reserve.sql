-- Pages for others to fill (src/bulk/pages).

-- What follows can be undone alone: what was done before in the transaction stays.
-- name: reserve_begin
SAVEPOINT reserve;

-- name: reserve_undo
ROLLBACK TO reserve;
RELEASE reserve;

-- name: reserve_keep
RELEASE reserve;

-- name: reserve
CREATE TABLE reserved (room BLOB);

-- name: reserve_fill
INSERT INTO reserved (room) VALUES (zeroblob(:bytes));

-- name: reserve_root plan=scan
SELECT rootpage FROM sqlite_schema WHERE name = 'reserved';

-- name: reserve_detach plan=scan
DELETE FROM sqlite_schema WHERE name = 'reserved';

-- name: reserve_becomes_index plan=scan
UPDATE sqlite_schema SET type = 'index', name = :name, tbl_name = 'file', sql = :sql WHERE name = 'reserved';

-- name: reserve_file_root plan=scan
SELECT rootpage FROM sqlite_schema WHERE name = 'file';

-- name: reserve_becomes_file plan=scan
UPDATE sqlite_schema SET rootpage = CASE name WHEN 'file' THEN :root ELSE :old END
 WHERE name IN ('file', 'reserved');

-- name: reserve_drop
DROP TABLE reserved;
