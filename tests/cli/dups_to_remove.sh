# SPDX-License-Identifier: MIT
# dups lists all copies, its help says so, and the list of what can go that it offers leaves a copy of each.
. "$srcdir/tests/cli/lib.sh"

mkdir d
for f in 1 2 3; do printf 'same' >d/$f; done
scan .
run 0 dups -0 d -c "$T/work/"
printf 'd/1\0d/2\0d/3\0' | out
run 0 help dups
tr -s ' \n' ' ' <"$T/out" >"$T/flat"
grep -q 'ALL copies in PATH are listed: never hand the list to a program that removes them' "$T/flat" || fail 'no warning'
run 3 mark drop d
run 0 marks --drop -0 d -c "$T/work/"
printf 'd/2\0d/3\0' | out
