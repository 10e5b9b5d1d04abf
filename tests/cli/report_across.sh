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
run 0 report --across data x --format fdupes -c "$T/work/"
out <<'END'
data/d
x/d

END
# The same directory twice is not two; one within the other is, and a member in both counts for each.
run 0 report --across x x/../x --format fdupes
out </dev/null
mkdir x/in
printf 'nested' >x/in/e
printf 'nested' >x/f
printf 'nested' >data/g
scan .
for paths in 'x x/in' 'x/in x'; do
	run 0 report --across $paths --format fdupes -c "$T/work/"
	out <<'END'
data/g
x/f
x/in/e

END
done
run 2 report --across data
err_has 'two paths'

# -a is every set, without a path of the whole index.
run 0 report
mv "$T/out" "$T/whole"
run 0 report -a
out <"$T/whole"
run 0 report data
mv "$T/out" "$T/some"
run 0 report -a data
out <"$T/some"
