# SPDX-License-Identifier: MIT
# Digests of files that are gone from the index go with the next run, whatever took them; check knows what a digest must be.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libgcrypt [0-9]' || skip 'built without libgcrypt'
[ -n "$SQLITE3" ] || skip 'no sqlite3'
mkdir keep rm link forget refresh scan
for d in keep rm link; do
	printf 'content' >$d/f
done
for d in forget refresh scan; do
	printf 'of %s' $d >$d/f
done
scan -q .
there() { "$SQLITE3" -readonly "$TWINDEX_DB" "SELECT count(*) FROM sqlite_schema WHERE name = 'digest'"; }
count() { "$SQLITE3" -readonly "$TWINDEX_DB" "SELECT count(*) FROM digest"; }
[ "$(there)" = 0 ] || fail 'the table is there before it is used'
run 0 digest --racy-window 0s
[ "$(there) $(count)" = '1 6' ] || fail 'not a row for each inode'

run 0 rm -r -y --in keep rm
run 0 undo -y
# The file that came back is another inode; and a link is one of the copy that stays, whose ctime is new.
run 0 rm -r -y --in keep rm
run 0 link --hard -r -y --in keep link
rm refresh/f scan/f
run 0 refresh refresh
scan -q .
run 0 forget -y forget
run 0 digest --racy-window 0s
out_line 'computed    1 file, 7 B'
[ "$(count)" = 1 ] || fail "$(count) rows are left, and not that of the only inode"
run 0 digest --list
[ "$(wc -l <"$T/out")" -eq 2 ] || fail 'not the two names'
run 0 check

"$SQLITE3" "$TWINDEX_DB" "UPDATE digest SET digest = substr(digest, 2)"
run 1 check
out_has 'digest: it is not as long as its kind, or its volume is none'
run 5 digest --list
err_has 'it has a digest sha256 of 31 bytes'
run 0 digest --force
run 0 check
"$SQLITE3" "$TWINDEX_DB" "UPDATE digest SET kind = 'sha3'"
run 1 check

# An index without the table is whole; one with another table of its name is not.
"$SQLITE3" "$TWINDEX_DB" 'DROP TABLE digest'
run 0 check
run 3 digest --list
"$SQLITE3" "$TWINDEX_DB" 'CREATE TABLE digest (x)'
run 5 info
err_has "its table 'digest' is not one that twindex makes"
