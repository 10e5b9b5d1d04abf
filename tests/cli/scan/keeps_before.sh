# SPDX-License-Identifier: MIT
# Scans, refreshes and acts keep what files were before; a new or moved directory costs no entry for its
# files, an unchanged tree none at all.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
entries() { rows "SELECT scan_id, name, coalesce(size, 'none'), coalesce(left_out, '') FROM before_view ORDER BY 1, 2"; }
dirs()
{
	[ "$("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT count(*) FROM dir_before WHERE run = $1 AND parent $2")" = "$3" ] ||
		fail "run $1 has another number than $3 of entries of directories with parent $2"
}
mkdir d d/one d/two
for f in a b c; do printf '%s content' "$f" | tee "d/one/$f" >"d/two/$f"; done
scan d
scan d
entries
out </dev/null
dirs 1 'IS NULL' 1

printf 'longer than before' >d/one/a
printf 'fresh' >d/one/new
rm d/one/b
mv d/two d/moved
mkdir d/three
printf 'in a new directory' >d/three/x
scan d
entries
printf '3\ta\t9\t\n3\tb\t9\t\n3\tnew\tnone\t\n' | out || exit
dirs 3 'IS NULL' 1
dirs 3 'IS NOT NULL' 1

# refresh, and what twindex does itself: that counts to the run that comes next.
printf 'again' >d/moved/a
run 0 refresh -q
run 0 rm -q -y d/moved/c
entries
out_has '4	a	9	'
out_has '5	c	9	'
# A directory that is gone, and a file that options leave out.
rm -r d/moved
scan --exclude 'x' d
entries
printf '3\ta\t9\t\n3\tb\t9\t\n3\tnew\tnone\t\n4\ta\t9\t\n5\ta\t5\t\n5\tb\t9\t\n5\tc\t9\t\n5\tx\t18\t1\n' | out || exit
dirs 5 'IS NOT NULL' 1
run 0 check

# What is forgotten has no history; the files of the directory that is gone went with the root.
run 0 forget -q d/one/a
entries
out_lacks '3	a	'
run 0 forget -q d
entries
out </dev/null
dirs 5 'IS NOT NULL' 0
run 0 check

# What an act takes away and brings back, and a scan finds changed, was in one way before the scan.
printf 'of two' | tee d/one/y >d/one/z
scan d
run 0 rm -q -y d/one/z
run 0 undo -q -y
run 0 rm -q -y d/one/z
printf 'another content' >d/one/z
scan d
last=$("$SQLITE3" -readonly "$TWINDEX_DB" 'SELECT max(id) FROM scan')
[ "$("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT count(*) > 1 FROM file_before WHERE run = $last AND name = 'z'")" = 1 ] || fail 'one act wrote an entry'
rows "SELECT name, size FROM before_view WHERE scan_id = $last"
printf 'z\t6\n' | out
run 1 diff -q $((last - 1))
out_has '/d/one/z  (+9 B)'
