# SPDX-License-Identifier: MIT
# ACT-2: two paths of one inode, by a link or by another mount, are one file.
. "$srcdir/tests/cli/lib.sh"

mkdir d
printf 'same' >d/a
printf 'same' >d/b
scan d
# b becomes a link of a with the times that the index knows of b: the inode differs.
cp -p d/b b.saved
ln -f d/a d/b
run 3 rm d/b --yes
[ -e d/a ] && [ -e d/b ] || fail 'a link was taken for a copy'
# The same when the index believes it: rows of two inodes that are one now.
[ -n "$SQLITE3" ] || skip 'no sqlite3'
scan d
run 1 rm d/b --yes
inode=$(stat -c %i d/b)
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET volume = volume + 1 WHERE name = 'b'" || fail 'cannot write the index'
"$SQLITE3" "$TWINDEX_DB" "INSERT OR IGNORE INTO volume (id, key, type) SELECT id + 1, key || '#2', type FROM volume" || fail 'cannot write the index'
run 1 rm d/b --yes
[ -e d/a ] && [ -e d/b ] || fail 'a link was taken for a copy'
