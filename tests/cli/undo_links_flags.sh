# SPDX-License-Identifier: MIT
# undo gives back as links of each other what one run has removed as such, in several directories, and what chattr had set.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/sub e
for f in 1 2; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
	ln d/$f d/sub/b$f
	ln d/$f d/c$f
done
printf 'alone' >d/alone
cp d/alone e/alone
is_linux && chattr +dA d/alone 2>/dev/null && flags=$(lsattr d/alone) || flags=
state() { (cd d && find . -type f -printf '%p %m %T@ %s %n\n' | LC_ALL=C sort && find . -type f -exec cksum {} + | LC_ALL=C sort); }
# same: the names of 1, and those of 2, are one file each.
same()
{
	for f in 1 2; do
		[ d/$f -ef d/sub/b$f ] && [ d/$f -ef d/c$f ] || fail "no links any more: $(ls -liR d)"
	done
	[ ! d/1 -ef d/2 ] || fail 'one file'
}
scan .
state >"$T/before"
run 0 rm -r d --in e --yes
[ "$(find d -type f)" = '' ] || fail "left: $(ls -R d)"
run 0 undo
out_has '7 acts undone'
state >"$T/after"
cmp "$T/before" "$T/after" || fail "$(diff "$T/before" "$T/after")"
same
[ -z "$flags" ] || [ "$(lsattr d/alone)" = "$flags" ] || fail "flags: $(lsattr d/alone)"
run 0 check
run 0 scan -n .
out_has '0 new, 0 changed, 0 gone, 10 unchanged'

# What has the first name meanwhile is nothing to link to; the others are links of each other all the same.
run 0 rm -r d --in e --yes
printf 'content 1' >d/1
run 1 undo
err_has 'another file has its name now'
[ d/c1 -ef d/sub/b1 ] && [ ! d/c1 -ef d/1 ] || fail "$(ls -liR d)"
run 0 scan -q .
run 0 check

# One by one they come back as links of what the same undo has brought back.
rm d/1
ln d/c1 d/1
run 0 scan -q --racy-window 0s .
run 0 rm -r d --in e --yes
run 0 undo 4
run 0 undo
run 0 check
for f in d/1 d/c1 d/sub/b1 d/2 d/c2 d/sub/b2; do
	[ -e $f ] || fail "$f is not back"
done
