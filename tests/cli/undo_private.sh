# SPDX-License-Identifier: MIT
# undo opens nothing that was private, and gives back nothing but what was there: directories as they were, no inherited
# ACL, and the content itself, not its size and time.
. "$srcdir/tests/cli/lib.sh"

mkdir -p keep v/private/deep
chmod 700 v/private
chmod 751 v/private/deep
[ "$(id -u)" != 0 ] || chown 1234:2345 v/private v/private/deep
is_linux && setfattr -n user.note -v mine v/private 2>/dev/null || setfattr=no
echo secret >v/private/deep/s
cp v/private/deep/s keep/
scan .
state() { stat -c '%n %a %u %g' v v/private v/private/deep v/private/deep/s; }
state >"$T/before"
run 0 rm -ry --prune-empty --include-hidden --in keep v
[ ! -e v/private ] || fail 'not pruned'
run 0 undo
state | diff "$T/before" - || fail 'a directory is not as it was'
[ "${setfattr:-}" = no ] || [ "$(getfattr --only-values -n user.note v/private)" = mine ] || fail 'its attribute is lost'
run 0 check
run 0 log
scan .
# One that somebody else has removed comes back as private as can be.
run 0 rm -y --include-hidden --in keep v/private/deep/s
rmdir v/private/deep v/private
: >"$TWINDEX_DB-acts.new"
grep -v '^dir' "$TWINDEX_DB-acts" >"$TWINDEX_DB-acts.new" && mv "$TWINDEX_DB-acts.new" "$TWINDEX_DB-acts"
run 0 undo
[ "$(stat -c %a v/private)" = 700 ] || fail "$(stat -c %a v/private)"

# What has its name, or lies in the trash, has its size and time, and another content.
mkdir -p a b "$HOME/.local/share"
echo 'good content' >a/f
echo 'good content 2' >a/g
cp -p a/f a/g b/
scan a b
run 0 rm -qy --in b a/g
printf 'evil content 2\n' >a/g
touch -r b/g a/g
run 1 undo
err_has 'another file has its name now'
[ "$(cat a/g)" = 'evil content 2' ] || fail 'overwritten'
rm a/g
run 0 undo
[ "$(cat a/g)" = 'good content 2' ] || fail 'not restored'
need_linux renames that replace nothing
run 0 rm -qy --trash --in b a/f
trashed=$(find "$T" -path '*rash*/files/f')
printf 'evil content\n' >"$trashed"
touch -r b/f "$trashed"
run 0 undo
[ "$(cat a/f)" = 'good content' ] || fail 'what lay in the trash was given back'

# A default ACL of the directory opens no file that was private.
is_linux && command -v setfacl >/dev/null && setfacl -d -m u:1234:rwx a 2>/dev/null || exit 0
echo private >a/p
setfacl -b a/p
chmod 660 a/p
cp -p a/p b/
getfacl -pc a/p >"$T/before"
scan a b
run 0 rm -y --in b a/p
run 0 undo
getfacl -pc a/p | diff "$T/before" - || fail 'it has an ACL that it did not have'
