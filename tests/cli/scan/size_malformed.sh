# SPDX-License-Identifier: MIT
# A malformed size is an error, not a guess.
. "$srcdir/tests/cli/lib.sh"

printf x >x
for wrong in '' k 10Q 10kk -1 +1 ' 1' '1 ' 1,5k 1.5 0x10 99999999999999999999 9223372036854775808 8388608T 1e3; do
	run 2 scan --min-size "$wrong" .
	err_has "'--min-size': '$wrong' is not a size"
	run 2 scan --max-size="$wrong" .
	err_has "'--max-size': '$wrong' is not a size"
done
run 2 scan --min-size 2k --max-size 1k .
err_has 'larger'
run 2 scan --min-size
err_has "'--min-size' needs SIZE"
