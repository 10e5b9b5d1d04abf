# SPDX-License-Identifier: MIT
# ACT-13: no file gets another owner, mode or attribute by a link, unless it is told so; its time it may get.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in 1 2 3; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
chmod 600 d/1
chmod 644 d/2 e/2 d/3 e/3
touch -d 2001-01-01 d/2
scan .
for kind in --hard --soft; do
	run 1 link $kind -n -r d
	out_has "stays: $T/work/d/1 (its attributes are not those of '$T/work/e/1': mode 0600 and 0644)"
	out_has 'link 2 files'
	run 1 link $kind d/1 --yes
	out_has "stays: $T/work/d/1 (its attributes are not those of '$T/work/e/1': mode 0600 and 0644)"
	[ "$(stat -c '%a %h' d/1)" = '600 1' ] && [ ! -L d/1 ] || fail "$kind: linked all the same"
done
need_linux names that are exchanged: links need that
run 0 link --hard d/2 --yes
[ d/2 -ef e/2 ] || fail 'another time keeps it'
run 0 link --hard --any-attributes -n d/1
out_has 'would hard-link 1 file'
run 0 link --hard --any-attributes d/1 --yes
[ d/1 -ef e/1 ] && [ "$(stat -c %a d/1)" = 644 ] || fail 'not linked'
if command -v setfattr >/dev/null && setfattr -n user.note -v x d/3 2>/dev/null; then
	scan .
	run 1 link --hard d/3 --yes
	out_has 'attribute user.note'
	run 1 rmsh --portable --hard d/3
	grep -q '^hard_link ' "$T/out" && fail 'a script would lose the attribute'
	setfattr -n user.note -v y e/3
	scan .
	run 1 link --hard d/3 --yes
	setfattr -n user.note -v x e/3
	scan .
	run 0 link --hard d/3 --yes
	[ d/3 -ef e/3 ] || fail 'not linked'
fi
[ "$(id -u)" = 0 ] || exit 0
printf 'owned' >d/4
cp d/4 e/4
chown 65534 d/4
scan .
run 1 link --hard d/4 --yes
out_has 'owner 65534 and 0'
chown 0:65534 d/4
scan .
run 1 link --hard d/4 --yes
out_has 'group 65534 and 0'
