# SPDX-License-Identifier: MIT
# --across: only sets with copies below at least two of the given paths, at component boundaries.
. "$srcdir/tests/cli/lib.sh"

mkdir -p data data2 x
printf 'within' >data/a
printf 'within' >data/b
printf 'across' >data/c
printf 'across' >data2/c
printf 'elsewhere' >data/d
printf 'elsewhere' >x/d
ln data/a data2/link
scan .
run 0 report --across data data2 --format fdupes -c "$T/work/"
out_has 'data/c
data2/c'
out_lacks 'data/d'
run 0 report -a data x --format fdupes -c "$T/work/"
out <<'END'
data/d
x/d

END
# The same directory twice, or one within the other, is not two.
run 0 report -a x x/../x --format fdupes
out </dev/null
run 2 report --across data
err_has 'two paths'
