# SPDX-License-Identifier: MIT
# Within a group decide asks set by set; of a set with several copies in the chosen directory that is left open.
. "$srcdir/tests/cli/lib.sh"

marks()
{
	cat >"$T/want"
	run 0 marks -c "$T/work/d/"
	sed '$d' "$T/out" | sed 's/^ *//; s/ *[0-9]* B  / /' | sort >"$T/got"
	diff -u "$T/want" "$T/got" || fail "not these marks after $ran"
}

mkdir -p d/one d/two
# Of each set the copy in one is the older one.
for f in 1 2 3 4; do
	printf 'content %s' $f >d/one/$f
	touch -d "2024-01-0$f 10:00" d/one/$f
	cp d/one/$f d/two/$f
	touch -d "2024-02-0$f 10:00" d/two/$f
done
# Twice in two, once in one.
cp d/two/1 d/two/again
scan d
cd d || exit 99

answer 0 'l\ns\n1\n.\n'
err_has '  1 of 4   3 copies of 9 B'
err_has 'set 1 of 4   3 copies of 9 B'
err_has '> 1  2024-01-01 10:00  one/1'
err_has '  2  2024-02-01 10:00  two/1'
err_has '4 of 4 sets decided'
err_has "5 files marked drop, 45 B of contents: 'rm --marked' removes them"
marks <<'EOF'
drop two/1
drop two/2
drop two/3
drop two/4
drop two/again
keep one/1
keep one/2
keep one/3
keep one/4
EOF

# . asks where the last answer does not say which: there are two copies in two.
run 0 mark clear .
answer 0 's\nn\n2\n.\nq\n'
err_has 'set 2 of 4'
err_lacks 'set 4 of 4'
! grep -q '.\{81\}' "$T/err" || fail "a line has more than 80 columns: $(cat "$T/err")"
answer 0 's\n1\nq\n'
err_has '  keep one/1'
err_has '  drop two/1'

# In the chosen directory a set has two copies: these stay, and it is asked about by itself.
run 0 mark clear .
answer 0 '2\nq\n'
err_has '  kept 4 in two/, 4 marked drop'
err_has '  1 set has several copies there: one by one'
err_has '> 1  2024-02-01 10:00  two/1'
err_has '     and 1 marked drop'
err_has '3 of 4 sets decided'
marks <<'EOF'
drop one/1
drop one/2
drop one/3
drop one/4
keep two/2
keep two/3
keep two/4
EOF
answer 0 's\n1\n'
err_has 'group 1 of 1: 1 set, 9 B in   1 two/'
err_has '4 of 4 sets decided'
err_has '1 file marked drop'

# What is kept is never dropped; all keeps all.
run 0 mark clear .
run 0 mark keep two/1
answer 0 's\n1\na\nn\nn\n'
err_has '2 of 4 sets decided'
run 0 marks --keep -0
tr '\0' '\n' <"$T/out" | grep -q '/two/1$' || fail 'a mark keep is gone'
# v opens a copy, whatever its name is, without a shell between.
run 0 mark clear .
mkdir ../open
printf 'x' >'../open/$(touch x) "a'
cp '../open/$(touch x) "a' ../open/b
scan ../open
printf 's\nv\nq\n' | TWINDEX_OPEN='printf "<%s>\n"' "$TWINDEX" decide ../open >"$T/out" 2>"$T/err" || fail "status $?"
grep -q '^<.*/open/.*>$' "$T/out" || fail 'it was not opened'
[ ! -e x ] || fail 'a name was run'
answer 0 'zzz\nall\n' ../open
err_has '1 of 1 set decided'
# Where . does not say which copy, it is told why the question comes again.
mkdir -p ../e/one ../e/two
printf 'a content that is larger' >../e/one/1
printf 'content' >../e/one/2
cp ../e/one/1 ../e/one/2 ../e/two/
cp ../e/one/2 ../e/two/again
scan ../e
answer 0 's\n2\n.\nq\n' ../e
err_has 'set 2 of 2'
err_has '  the last answer does not say which copy of this set stays'
