# SPDX-License-Identifier: MIT
# Hidden directories, version control, other users' places and read-only mounts are left alone unless they are named.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/.git/objects d/.cache d/sub e
for f in d/.git/objects/1 d/.cache/2 d/sub/3 d/.hidden-file; do
	printf 'content of %s' $f >$f
	cp $f "e/$(basename $f)"
done
scan .
run 1 rm -r d --yes
err_has '2 files left alone'
[ -e d/.git/objects/1 ] && [ -e d/.cache/2 ] && [ ! -e d/sub/3 ] && [ ! -e d/.hidden-file ] || fail 'not left alone'
run 1 rm -rn d -v
out_has "left alone: $T/work/d/.git/objects/1 (in the hidden directory '.git')"
# By marks of a whole directory as well.
run 0 mark drop d
run 1 rm --marked --yes -q
[ -e d/.git/objects/1 ] && [ -e d/.cache/2 ] || fail 'marks made it go'
run 0 rm -r d/.git --yes
[ ! -e d/.git/objects/1 ] || fail 'it was named'
run 0 rm -r d --yes --include-hidden
[ ! -e d/.cache/2 ] || fail 'it was to be included'

[ "$(id -u)" = 0 ] || skip 'only root makes directories of others'
mkdir d/other
printf 'theirs' >d/other/4
cp d/other/4 e/
chown 65534 d/other || skip 'no other users here'
scan .
run 1 rm -rv d --yes
out_has "(in another user's directory)"
[ -e d/other/4 ] || fail "another user's file is gone"
run 0 rm -r d/other --yes
[ ! -e d/other/4 ] || fail 'it was named'

need unshare mount
mkdir ro
printf 'theirs' >ro/5
scan .
unshare -m sh -c 'mount --bind ro ro && mount -o remount,bind,ro ro && exec "$TWINDEX" rm ro/5 --yes' >"$T/out" 2>"$T/err"
[ $? -eq 1 ] || fail "status: $(cat "$T/err")"
err_has '1 file left alone on read-only mounts'
err_lacks 'include-hidden'
[ -e ro/5 ] || fail 'removed from a read-only place'
