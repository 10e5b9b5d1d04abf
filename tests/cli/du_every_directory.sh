# SPDX-License-Identifier: MIT
# du finds what differs in one directory among many that are as indexed, whatever it is; uniques, which goes
# through all of them, counts the same.
. "$srcdir/tests/cli/lib.sh"

for i in 0 1 2 3 4 5 6 7 8 9; do
	for j in 0 1 2 3 4 5 6 7 8 9; do
		echo t/$i/$j/in t/$i/$j/z
	done
done | xargs mkdir -p
for i in 0 1 2 3 4 5 6 7 8 9; do
	for j in 0 1 2 3 4 5 6 7 8 9; do
		for k in 0 1 2 3; do
			printf '%s' "$i$k" >t/$i/$j/$k
		done
		printf 'below' >t/$i/$j/in/f
	done
done
bytes=$(printf 'l\344t')
printf 'bytes' >"t/3/3/$bytes"
printf 'slash' >t/3/3/l.t
mkdir "t/3/4/$bytes"
scan t
run 0 du t
[ ! -s "$T/err" ] || fail 'everything is as it was indexed'

# The same at each place in turn: a change, and what du says of it.
differs()
{
	run 3 du -v t
	err_has "not judged: $T/work/t/$1"
	err_has "twindex: not judged: $2"
	[ "$(wc -l <"$T/err")" -eq 2 ] || fail "more than t/$1 is told"
	grep '^twindex: not judged: [0-9]' "$T/err" >"$T/sum"
	run 3 uniques t
	grep -qFf "$T/sum" "$T/err" || fail 'uniques counts otherwise'
}
for dir in "3/4/$bytes" 0/0 4/5/in '.' 7/7/z 9/9/in; do
	in_turn || continue
	printf 'new' >"t/$dir/between"
	differs '' '1 new since the scan'
	mv "t/$dir/between" "t/$dir/~last"
	differs '' '1 new since the scan'
	rm "t/$dir/~last"
	mkdir "t/$dir/between"
	differs '' '1 directory new since the scan'
	rmdir "t/$dir/between"
	run 0 du t
done
mv t/5/5/2 t/5/5/2.moved
differs 5/5/2.moved '1 new since the scan'
mv t/5/5/2.moved t/5/5/2
mv t/5/5/in/f t/5/5/f
differs 5/5/f '1 new since the scan'
mv t/5/5/f t/5/5/in/f
# Of the same name and another type.
mv t/6/0/1 "$T/aside"
mkdir t/6/0/1
differs 6/0/1/ '1 directory new since the scan'
rmdir t/6/0/1
mv "$T/aside" t/6/0/1
mv t/6/0/z "$T/aside"
printf 'file' >t/6/0/z
differs 6/0/z '1 new since the scan'
rm t/6/0/z
# What is gone was judged, and so was what a link in its place leads to.
ln -s ../1/in t/6/0/z
run 0 du t
err_has 'ignored: 1 symbolic link'
rm t/6/0/z t/6/0/1 t/9/9/0
rm -r t/2/2
run 0 du t
[ ! -s "$T/err" ] || fail 'files that are gone are told'
