# SPDX-License-Identifier: MIT
# The answer does not depend on the number of threads; a malformed number is an error.
. "$srcdir/tests/cli/lib.sh"

i=0
while [ $i -lt 40 ]; do
	mkdir -p d$((i % 7))/e
	printf 'c%s' $((i % 5)) >d$((i % 7))/e/f$i
	i=$((i + 1))
done
scan --threads 1 .
run 0 report --format fdupes
cp "$T/out" "$T/one"
for n in 2 16 512; do
	rm "$TWINDEX_DB"*
	scan --threads $n .
	run 0 report --format fdupes
	out <"$T/one"
done
for wrong in x -1 1.5 '' 513; do
	run 2 scan --threads "$wrong" .
	err_has "threads"
done
