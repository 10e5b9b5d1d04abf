# SPDX-License-Identifier: MIT
# The first screen of report fits 22 lines of 80 columns, whatever the roots are: it goes into the one that holds all,
# counts those that it does not show, cuts long paths in the middle; and its percentages are those of du.
. "$srcdir/tests/cli/lib.sh"

need script
# fits: no line is wider than the terminal, and all leave room for a prompt.  script ends with an empty line.
fits()
{
	[ "$(wc -l <"$T/out")" -le $((22 + 1)) ] || { show_run; fail "$(wc -l <"$T/out") lines"; }
	! grep -v '^  twindex ' "$T/out" | grep -q '.\{81\}' || { show_run; fail 'wider than the terminal'; }
	rows=0
	while IFS= read -r line; do
		rows=$((rows + (${#line} > 80 ? (${#line} + 79) / 80 : 1)))
	done <"$T/out"
	[ $rows -le $((22 + 1)) ] || { show_run; fail "$rows rows"; }
}
# fill DIR...: each gets a dozen files, each twice.
fill()
{
	for dir in "$@"; do
		mkdir -p "$dir/one" "$dir/two"
		for i in 10 11 12 13 14 15 16 17 18 19 20 21; do
			number=$((number + 1))
			printf '%0*d' ${i}00 $number >"$dir/one/$i"
		done
		cp "$dir/one/"* "$dir/two"
	done
}
number=0
# One root holds everything, deep below it.
fill a/root/holds/it/in/here
printf 'alone' >a/root/alone
scan a/root
terminal 80 report
fits
out_line '25 files, 36.3 KiB in a/root, 99% of it duplicated'
out_line '.* 100%  a/root/holds/it/in/here/one/'
out_line '.* 100%  a/root/holds/it/in/here/two/'
out_lacks 'more root'
# du has the same share of what is duplicated; and of what can go, as report.
run 0 du
out_has ' 99%  '
terminal 80 report
out_has '(49%) of it can go'
# One in a thousand is not none.
head -c 9000000 /dev/zero >a/root/large
scan a/root
terminal 80 report
out_has ', <1% of it duplicated'
rm a/root/large
# Roots above which nothing is in the index are shown themselves; those that are not shown are counted.
roots=
for root in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
	fill "b/$root/root$root/in"
	roots="$roots b/$root/root$root"
done
# shellcheck disable=SC2086
scan $roots
terminal 80 report
fits
out_has ' in 15 roots, '
out_has 'root1/'
[ "$(grep -c '%  .*root.*/$' "$T/out")" = 5 ] || { show_run; fail 'not five places'; }
out_has ' 11 more roots'
# Long ones are cut in the middle, here and in the first line; a step that would take three rows names none.
long=$(printf '%075d' 1)/$(printf '%075d' 2)
fill "c/$long/root"
scan "c/$long/root"
terminal 80 report "c/$long/root"
fits
out_has 'c/0000'
grep -q '%  c/0*\.\.\.0*2/root/one/$' "$T/out" || { show_run; fail 'not cut in the middle'; }
grep -q ' in c/0*\.\.\.0*2/root, 100% of it duplicated$' "$T/out" || { show_run; fail 'not cut in the first line'; }
out_line '  twindex decide DIR .*'
terminal 80 report
fits
terminal 40 report
out_line ' *size  redundant'
# What is left out of the answer takes lines, too, and the sets give them.
rm a/root/holds/it/in/here/two/1?
terminal 80 report
fits
out_has 'gone or changed since the last scan'
