# SPDX-License-Identifier: MIT
# --verify compares copies byte by byte, remembers it, and reads what it can't trust again.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
ln b c
printf 'else' >d
scan --verify .
out_has 'verified'
rows 'SELECT name FROM file_view WHERE verified IS NOT NULL ORDER BY name'
out_has a
out_has b
out_lacks d
scan
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
b

END
