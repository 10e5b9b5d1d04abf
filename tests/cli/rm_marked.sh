# SPDX-License-Identifier: MIT
# rm --marked removes what is marked drop and still is what was marked (ACT-16), and the marks with it.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in 1 2 3; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
run 0 mark drop d/1 d/2
run 0 rm --marked -n
out_has "would remove: $T/work/d/1"
out_has 'would remove 2 files'
# Another content since: the mark does not count.
printf 'changed' >d/2
run 3 rm --marked --yes
[ ! -e d/1 ] && [ "$(cat d/2)" = changed ] && [ -e d/3 ] || fail "left: $(ls d)"
rows "SELECT replace(path, '$T/work/', '') FROM mark_view"
out <<'END'
d/2
END
# Only below a path.
run 0 mark clear .
run 0 mark drop d/3
run 0 rm --marked e --yes
out <<'END'
0 files removed
END
run 0 rm --marked d --yes
[ ! -e d/3 ] && [ -e e/3 ] || fail 'the mark was not followed'
# The other copy is gone: the last one stays.
printf 'content 1' >d/1
scan .
run 0 mark drop d/1
rm e/1
run 1 rm --marked --yes
[ -e d/1 ] || fail 'the last copy is gone'

# Of three copies two are to stay: where one of these is gone, what was marked drop stays in its place.
stays_for()
{
	run 1 rm --marked --yes
	out_has "stays: $T/work/$1 (one of the copies that must stay)"
	[ -e "$1" ] || fail "$1 is gone"
	run 0 mark clear .
}
run 0 mark clear .
rm -r d e
mkdir a b c
for dir in a b c; do
	printf 'three of it' >$dir/f
done
scan .
answer 0 '1\n' --copies 2
rows "SELECT decision || ' ' || replace(path, '$T/work/', '') FROM mark_view ORDER BY path"
out <<'END'
keep a/f
keep b/f
drop c/f
END
rm b/f
stays_for c/f
cp a/f b/f
scan .
run 0 mark drop c --copies 2
err_has '2 copies that must stay marked keep'
rm b/f
stays_for c/f
# What is not marked stays for it as well; and what lost its mark is not missed.
cp a/f b/f
scan .
run 0 mark keep a
run 0 mark drop c
mv a/f a/moved
scan .
run 0 rm --marked --yes
[ ! -e c/f ] && [ -e b/f ] || fail 'a copy without a mark did not count'
cp b/f c/f
scan .
run 0 mark keep a b
run 0 mark drop c
rm a/moved
run 0 mark clear a
run 0 rm --marked --yes
[ ! -e c/f ] || fail 'a copy that lost its mark is missed'
