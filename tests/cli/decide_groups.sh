# SPDX-License-Identifier: MIT
# decide asks about sets by the directories that share them, most redundant bytes first; an answer marks all of a group.
. "$srcdir/tests/cli/lib.sh"

# What it has said, which is no result.
said()
{
	[ ! -s "$T/out" ] || fail 'the dialogue is no result'
	cut -c 1-200 >"$T/want"
	diff -u "$T/want" "$T/err" || fail "$ran: not the dialogue that was expected"
}

mkdir -p home/a home/b home/c/deep
for f in 1 2 3; do
	printf 'both %s' $f >home/a/$f
	cp home/a/$f "home/b/$f (1)"
done
printf 'a long one in three' >home/a/t
cp home/a/t home/b/t
cp home/a/t home/c/deep/t
scan home
cd home || exit 99

answer 0 'n\nq\n'
said <<'EOF'
4 sets, 56 B, in 2 groups   ? help  q leave (go on later)
group 1 of 2: 1 set, 38 B in   1 a/   2 b/   3 c/
  keep where? [1-3, k by rule, all, s each set, l list, n later, u undo, q] n
  0 of 4 decided
group 2 of 2: 3 sets, 18 B in   1 a/   2 b/
  keep where? [1-2, k by rule, all, s each set, l list, n later, u undo, q] q
0 of 4 sets decided
EOF
run 0 marks
out_has 'No marks'
answer 0 '2\n1\n'
said <<'EOF'
4 sets, 56 B, in 2 groups   ? help  q leave (go on later)
group 1 of 2: 1 set, 38 B in   1 a/   2 b/   3 c/
  keep where? [1-3, k by rule, all, s each set, l list, n later, u undo, q] 2
  kept 1 in b/, 2 marked drop
  1 of 4 decided
group 2 of 2: 3 sets, 18 B in   1 a/   2 b/
  keep where? [1-2, k by rule, all, s each set, l list, n later, u undo, q] 1
  kept 3 in a/, 3 marked drop
  4 of 4 decided
4 of 4 sets decided
5 files marked drop, 56 B of contents: 'rm --marked' removes them
EOF
run 0 marks --drop -0
tr '\0' '\n' <"$T/out" | sed 's|.*/home/||' >"$T/drops"
cat >"$T/want" <<'EOF'
a/t
b/1 (1)
b/2 (1)
b/3 (1)
c/deep/t
EOF
diff -u "$T/want" "$T/drops" || fail 'not what was to be dropped'
answer 0 ''
said <<'EOF'
all is decided
4 of 4 sets decided
EOF
# It acts on what it said.
run 0 rm --marked --yes
[ -e b/t ] && [ ! -e a/t ] && [ ! -e c/deep/t ] && [ -e a/1 ] && [ ! -e 'b/1 (1)' ] || fail 'rm --marked did something else'
answer 0 ''
err_has 'nothing is to be decided'

# DIR chooses the sets; places in it come first, the others are elsewhere.
cp a/1 b/1
cp a/2 b/2
cp b/t a/t
mkdir b/sub
cp a/3 b/sub/3
scan .
answer 0 'q\n' --elsewhere b
said <<'EOF'
copies outside of the named directories are marked, too
4 sets, 37 B, in 1 group   ? help  q leave (go on later)
group 1 of 1: 4 sets, 37 B in   1 b/   elsewhere   2 a/
  keep where? [1-2, k by rule, all, s each set, l list, n later, u undo, q] q
0 of 4 sets decided
EOF
answer 0 's\nall\nq\n' --elsewhere b
err_has '1 of 4 sets decided'
answer 0 'q\n' --elsewhere b
err_has '3 sets, 18 B, in 1 group; 1 decided before'
answer 0 'all\n' --elsewhere b
err_has '  kept all of 3 sets'
err_has '4 of 4 sets decided'
# A group of one directory is asked about by those in it.
run 0 mark clear .
rm a/t
mkdir c/x c/y
printf 'twice in c' >c/x/1
cp c/x/1 c/y/1
scan .
answer 0 'd\n1\nq\n' --min-size 10
said <<'EOF'
1 set, 10 B, in 1 group   ? help  q leave (go on later)
group 1 of 1: 1 set, 10 B in   1 c/
  keep where? [k by rule, all, s each set, d by directories below, l list, n later, u undo, q] d
1 set, 10 B, in 1 group   ? help  q leave (go on later)
group 1 of 1: 1 set, 10 B in   1 c/x/   2 c/y/
  keep where? [1-2, k by rule, all, s each set, l list, n later, u undo, q] 1
  kept 1 in c/x/, 1 marked drop
  1 of 1 decided
  1 of 1 decided
1 of 1 set decided
1 file marked drop, 10 B of contents: 'rm --marked' removes it
EOF
answer 2 '' nowhere
err_has 'does not exist'
COLUMNS=40
export COLUMNS
run 0 mark clear .
answer 0 'q\n' --elsewhere b
said <<'EOF'
copies outside of the named directories are marked, too
3 sets, 18 B, in 1 group
? help  q leave (go on later)
group 1 of 1: 3 sets, 18 B in
  1  b/
  elsewhere
  2  a/
  keep where? [1-2 k a s l n u q ?] q
0 of 3 sets decided
EOF
# Without it nothing is marked where nobody has pointed: what lies elsewhere is shown, and may stay.
unset COLUMNS
run 0 mark clear .
answer 0 '2\nq\n' b
err_has 'kept 3 in a/, 3 marked drop'
run 0 marks --drop -c "$T/work/home/"
out_lacks ' a/'
run 0 mark clear .
answer 0 '1\nq\n' b
run 0 marks --drop -c "$T/work/home/"
out_lacks ' a/'
