# SPDX-License-Identifier: MIT
# When sets have fallen apart since the scan, report says so instead of a mere "No duplicates"; --top counts sets that stand.
. "$srcdir/tests/cli/lib.sh"

printf 'much larger set' >a1
printf 'much larger set' >a2
printf 'small' >b1
printf 'small' >b2
scan .
rm a1
run 0 report --top 1 --format fdupes -c "$T/work/"
out <<'END'
b1
b2

END
printf 'SMALL' >b1
run 0 report
out_has 'No duplicates.'
out_has 'run twindex scan'
