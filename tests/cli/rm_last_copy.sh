# SPDX-License-Identifier: MIT
# ACT-15: whatever is named, a copy of every content stays, which was compared and is not a link of what goes.
. "$srcdir/tests/cli/lib.sh"

mkdir a d
for f in d/1 d/2 a/3; do printf 'same' >$f; done
printf 'twins' >d/x
ln d/x d/y
printf 'twins' >a/z
scan .
run 1 rm -r . --yes
out_has "stays: $T/work/a/3 (the last copy)"
out_has "stays: $T/work/a/z (the last copy)"
[ "$(find . -type f | sort | tr '\n' ' ')" = './a/3 ./a/z ' ] || fail "left: $(find . -type f)"
run 0 check

# Links: the inode that stays keeps all its names, those of the other one go.
printf 'twins' >d/v
ln d/v d/w
ln a/z a/zz
scan .
run 1 rm d/v d/w a/zz --yes
out_has "stays: $T/work/a/zz (another name of the copy that stays: nothing would be freed)"
[ ! -e d/v ] && [ ! -e d/w ] && [ a/z -ef a/zz ] || fail 'links are gone that should stay'
# Names of one inode only are no copies.
run 1 rm a/zz --yes
out_has 'linked: all its names are one copy'
# What is marked keep stays even when it is named.
printf 'twins' >d/v
scan .
run 0 mark keep d/v
run 1 rm d/v --yes
out_has 'marked keep'
[ -e d/v ] || fail 'what is marked keep is gone'

# A copy that nobody can look at is none, and it is said.
run 0 mark clear .
mkdir shut
cp d/v d/w
cp d/v shut/v
rm -f a/*
ordinary
scan .
chmod 0 shut
run 3 rm d/v d/w --yes
err_has "'$T/work/d/v' stays: the last copy that is not offline or unreadable"
[ -e d/v ] && [ ! -e d/w ] || fail 'removed for a copy that nobody can look at'
chmod 700 shut
run 0 rm d/v --yes
