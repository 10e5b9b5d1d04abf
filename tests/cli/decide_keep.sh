# SPDX-License-Identifier: MIT
# decide lets the rules of --keep answer, and never drops what --protect, --only and --copies let stay.
. "$srcdir/tests/cli/lib.sh"

# marked DROPS: what is marked drop now, with blanks between; then no mark is left.
marked()
{
	run 0 marks --drop -c "$T/work/"
	got=
	while read -r decision _ _ path; do
		[ "$decision" != drop ] || got="$got$path "
	done <"$T/out"
	[ "$got" = "$1" ] || fail "$ran: '$got' are marked drop instead of '$1'"
	run 0 mark clear .
}

mkdir a b c
# Sets of different sizes, for their order.
printf 'content of one' >a/1
printf 'content' >a/2
printf 'con' >a/3
for f in 1 2 3; do
	touch -d "2024-01-0$f 10:00" a/$f
	cp a/$f b/$f
	touch -d "2024-02-0$f 10:00" b/$f
done
# The first set has four copies, two in b.
cp a/1 c/1
touch -d '2024-03-01 10:00' c/1
cp a/1 b/again
touch -d '2024-01-15 10:00' b/again
scan .

# The rules choose in all sets of a group, in one set, and to the end.
answer 0 'k\nk\n' --keep oldest
err_has '  keep where? [1-3, k by rule, all, s each set'
err_has '  kept 1 by the rules, 3 marked drop'
err_has '3 of 3 sets decided'
marked 'b/1 b/2 b/3 b/again c/1 '
answer 0 's\nk\ns\n1\nk\n' --keep newest
err_has '> 4  2024-03-01 10:00  c/1'
err_has '  1  2024-01-01 10:00  a/1'
err_has '  keep? [1-4, k or Enter as marked >, all'
err_has '3 of 3 sets decided'
marked 'a/1 a/3 b/1 b/2 b/again '
answer 0 'n\ns\nk\n.\n' --keep newest
marked 'a/2 a/3 '
# Enter takes what is shown, where something is shown.
answer 0 's\n\nn\n' --keep not-in:b,newest
err_has '3 sets decided'
marked 'a/1 b/1 b/again '
answer 0 '\nq\n' --keep newest
marked ''
# Without rules k keeps what rm would, and Enter is no answer.
answer 0 's\n\nk\nq\n'
err_has '> 1  2024-01-01 10:00  a/1'
err_has '  keep? [1-4, k as marked >, all'
err_has '1 of 3 sets decided'
marked 'b/1 b/again c/1 '
answer 0 'k\nn\n'
marked 'b/1 b/again c/1 '
answer 0 'n\nk\n'
"$TWINDEX" rm -rn . --only "$T/work/b/2" --only "$T/work/b/3" | grep -c 'would remove: ' | grep -qx 2 || fail 'rm takes others'
marked 'b/2 b/3 '
# A copy elsewhere stays before those in the named directory.
answer 0 's\nk\nq\n' a
err_has '> 3  2024-02-01 10:00  b/1 (not below --only: stays)'
marked 'a/1 '
# In the directory that was answered, they choose among several.
answer 0 '2\nn\n' --keep oldest
err_lacks 'one by one'
marked 'a/1 b/1 c/1 '
answer 0 '2\nn\n' --keep newest
marked 'a/1 b/again c/1 '
# A number is an answer against the rules.
answer 0 '1\n1\n' --keep in:b
marked 'b/1 b/2 b/3 b/again c/1 '

# What is protected stays, whatever is answered, and is told so.
answer 0 's\n2\nq\n' --protect a
err_has '> 1  2024-01-01 10:00  a/1 (protected: stays)'
marked 'b/1 c/1 '
answer 0 '2\nq\nn\n' --protect a --keep newest
err_has '  1 other copy stays: not to be touched'
marked 'b/again c/1 '
answer 0 'k\nk\n' --protect a --keep newest
marked 'b/1 b/2 b/3 b/again c/1 '
# All of a set are protected: nothing is to be decided.
answer 0 'k\n' --protect a --protect b --keep newest
err_has '1 set, 14 B, in 1 group'
marked 'c/1 '
# Only there.
answer 0 's\nk\nn\n' --only b --keep in:a
err_has '> 1  2024-01-01 10:00  a/1 (not below --only: stays)'
marked 'b/1 b/again '
answer 0 '2\n1\nn\n' --only c --keep in:b,oldest
err_has '1 set, 14 B, in 1 group'
marked 'c/1 '
# So many stay: those that were chosen, and others besides.
answer 0 '1\n' --copies 3
err_has '1 set, 14 B, in 1 group'
err_has '  kept 1 in a/, 1 marked drop'
err_has '  2 other copies must stay'
err_has '1 of 1 set decided'
run 0 marks --drop
[ "$(grep -c '^ *drop' "$T/out")" = 1 ] || fail 'not one is marked drop'
answer 0 'n\n' --copies 3
err_has 'all is decided'
run 0 mark clear .
answer 0 'k\n' --copies 3 --keep newest
marked 'a/1 '
answer 0 's\n1\n' --copies 2 --keep newest
err_has '  1 other copy must stay'
err_has "2 files marked drop, 28 B of contents: 'rm --marked --copies=2' removes them"
marked 'b/1 b/again '
# Copies count only there.
answer 0 's\n1\nq\n' --in b --keep newest
err_has '  1 other copy must stay'
marked 'b/again c/1 '

# Two names of an inode, one of them protected: it stays with both.
ln a/2 c/2
scan .
answer 0 'k\nk\nk\n' --protect c --keep newest
err_has '3 of 3 sets decided'
marked 'a/1 a/3 b/1 b/2 b/again '
run 2 decide --keep nonsense
run 2 decide --protect nowhere
