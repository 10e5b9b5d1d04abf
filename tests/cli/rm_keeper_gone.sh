# SPDX-License-Identifier: MIT
# ACT-3: a copy that goes, or is replaced, after it was compared takes nothing with it.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >d/a
printf 'same' >e/b
scan .
hold renameat2 1 rm d/a --yes
rm e/b
resume 3
err_has "'$T/work/d/a' stays: the copy '$T/work/e/b': it is gone"
[ "$(cat d/a)" = same ] || fail 'the last copy is gone'
[ "$(ls -A d)" = a ] || fail "left behind: $(ls -A d)"
[ "$(tail -n 2 "$TWINDEX_DB-acts" | cut -f 1 | tr '\n' ' ')" = 'not end ' ] || fail 'the journal says that it was removed'

# Another file in its place, with its size and times.
cp -p d/a e/b
scan .
cp -p e/b e/other
hold renameat2 1 rm d/a --yes
mv e/other e/b
resume 3
err_has "the copy '$T/work/e/b': it has changed meanwhile"
[ -e d/a ] || fail 'what was compared with another file is gone'

# It is gone before: nothing is renamed at all.
cp -p d/a e/c
scan .
rm e/b
run 0 rm d/a --yes
cp -p e/c d/a
rm e/c
scan .
run 1 rm d/a --yes
