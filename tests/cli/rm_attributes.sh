# SPDX-License-Identifier: MIT
# Before the act rm and link say what neither the copy that stays nor undo will have of a file: attributes of users, hard links.
. "$srcdir/tests/cli/lib.sh"

need setfattr
mkdir d e
for f in 1 2 3 4; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
setfattr -n user.xdg.tags -v holiday d/1 2>/dev/null && setfattr -n user.xdg.tags -v holiday d/2 && setfattr -n user.xdg.tags -v holiday e/2 ||
	skip 'no extended attributes here'
setfattr -n user.xdg.comment -v 'by the sea' d/3
setfattr -n user.xdg.comment -v 'in the hills' e/3
is_linux || skip 'attributes are looked at on Linux alone'
scan .
run 0 rm -rn d --in e
err_has '2 files have attributes (tags, comments) that the remaining copy lacks'
err_lacks 'hard links'
run 0 rm -rnq d --in e
err_lacks 'attributes'
run 0 link --soft --any-attributes -rn d --in e
err_has '2 files have attributes'
# They go into the trash with the file; blocks are shared without them.
run 0 rm --trash -rn d --in e
err_lacks 'attributes'
"$TWINDEX" link --reflink -rn d --in e >"$T/out" 2>"$T/err" || [ $? -eq 3 ] || fail 'status'
err_lacks 'attributes'
run 0 rm -n d/2 --in e
err_lacks 'attributes'

# Names that one run removes are links again; one that stays has none.
rm d/1 d/2 d/3
ln d/4 d/five
scan .
run 0 rm -rn d --in e
err_lacks 'hard links'
mkdir out
ln d/4 out/six
scan .
run 0 rm -rn d --in e
err_has '2 files have hard links that undo will not restore'
run 0 rm -n d/4 --in e --json
out_has '"lost_attributes":0,"lost_links":1,'
run 0 rm -y d/4 --in e
err_has '1 file has hard links that undo will not restore'
