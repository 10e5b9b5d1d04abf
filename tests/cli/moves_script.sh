# SPDX-License-Identifier: MIT
# The script of moves renames in several shells, whatever names are, overwrites nothing that is there by then, and does nothing unless it is whole.
. "$srcdir/tests/cli/lib.sh"

# add NAME: one content by this name in the old tree, and below another directory in the new one.
add()
{
	n=$((n + 1))
	printf 'content %s' "$n" >"made/b/$1" || skip 'not all names are possible here'
	cp "made/b/$1" "made/a/in/$1"
}
n=0
mkdir -p made/a/in made/b
each_hostile add
add 'at its end
'
# Two change places, and one is in the way.
printf 'first' >made/a/swap1
printf 'other' >made/a/swap2
printf 'other' >made/b/swap1
printf 'first' >made/b/swap2
printf 'in the way' >made/b/in
[ "$n" -gt 30 ] || fail "only $n names"
for shell in dash bash 'busybox sh' ksh sh; do
	command -v "${shell%% *}" >/dev/null && in_turn || continue
	rm -rf a b
	cp -R made/a made/b .
	scan a b
	run 1 moves --script a b
	cp "$T/out" "$T/script"
	[ "$(LC_ALL=C tr -d '\n\t\40-\176' <"$T/script" | wc -c)" -eq 0 ] || run 1 moves --script a b
	# Cut off in a line or behind one, it does nothing.
	ls -R b >"$T/before"
	for part in 1 2 3 5 7; do
		head -c $(($(wc -c <"$T/script") * part / 8)) "$T/script" >"$T/part"
		$shell "$T/part" >/dev/null 2>&1
	done
	ls -R b | cmp - "$T/before" || fail "$shell: a part of the script has done something"
	(cd / && $shell "$T/script") >"$T/told" 2>&1 || fail "$shell: $? $(cat "$T/told")"
	grep -q 'what was in the way is in ./.twindex-moves-' "$T/told" || fail "$shell: $(cat "$T/told")"
	cat b/.twindex-moves-*/aside/in >"$T/aside"
	says "$T/aside" 'in the way'
	rm -r b/.twindex-moves-*
	diff -r a b || fail "$shell: the trees differ"
	# Done again, what changed places does not change it back.
	$shell "$T/script" >"$T/told" 2>&1
	diff -r a b || fail "$shell: done twice, the trees differ"
	tried=yes
done
[ "${tried:-}" = yes ] || fail 'no shell'

# What has come in between stays, and is told; a directory, too, and a link that leads out.
mkdir -p c/a/new c/a/far c/b "$T/outside"
for i in 1 2 3 4; do
	echo "content $i" >c/b/f$i
done
cp c/b/f1 c/a/new/g1
cp c/b/f2 c/a/g2
cp c/b/f3 c/a/far/g3
cp c/b/f4 c/a/g4
scan c
run 1 moves --script c/a c/b
cp "$T/out" "$T/script"
echo 'came later' >c/b/g2
mkdir c/b/g4
ln -s "$T/outside" c/b/far
sh "$T/script" >"$T/told" 2>&1
[ $? -eq 3 ] || fail "$(cat "$T/told")"
grep -q '^1 done, 0 left as they are, 3 ' "$T/told" || fail "$(cat "$T/told")"
says c/b/new/g1 'content 1'
says c/b/g2 'came later'
says c/b/f2 'content 2'
says c/b/f3 'content 3'
says c/b/f4 'content 4'
[ -z "$(ls "$T/outside")$(ls c/b/g4)" ] || fail 'something got into a directory that was not meant'
grep -q 'symbolic link on the way' "$T/told" || fail "$(cat "$T/told")"

# What is in the way as a directory goes aside with all in it, but what is wanted is taken out first.
mkdir -p d/a d/b/x/deep
echo wanted >d/a/wanted
echo wanted >d/b/x/deep/w
echo 'now a file' >d/a/x
echo 'now a file' >d/b/y
echo left >d/b/x/left
scan d
run 1 moves --script d/a d/b
sh "$T/out" >"$T/told" || fail "$(cat "$T/told")"
says d/b/x 'now a file'
says d/b/wanted wanted
cat d/b/.twindex-moves-*/aside/x/left >"$T/aside"
says "$T/aside" left
[ ! -e d/b/.twindex-moves-*/aside/x/deep ] || fail 'an empty directory is left'

# A parked file is the one that was planned.
mkdir -p p/a p/b
echo one >p/a/1
echo two >p/a/2
echo two >p/b/1
echo one >p/b/2
scan p
run 1 moves --script p/a p/b
cp "$T/out" "$T/script"
mv p/b/2 p/b/was
echo other >p/b/2
sh "$T/script" >"$T/told" 2>&1
[ $? -eq 3 ] || fail "$(cat "$T/told")"
says p/b/1 two
says p/b/2 other
grep -q 'another file has its name' "$T/told" || fail "$(cat "$T/told")"

# The mirror at another path.
mkdir -p q/a q/b
echo moved >q/a/f
echo moved >q/b/g
scan q
run 1 moves --script q/a q/b
mv q/b q/-b
(cd q && sh "$T/out" -b) >"$T/told" || fail "$(cat "$T/told")"
says q/-b/f moved
sh "$T/out" >"$T/told" 2>&1
[ $? -eq 2 ] || fail "$(cat "$T/told")"
