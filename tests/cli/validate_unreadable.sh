# SPDX-License-Identifier: MIT
# What validate may not read is unreadable, with the reason, and neither gone nor corrupt.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >d/a
printf 'same' >e/b
printf 'many' >d/c
printf 'many' >e/c
ordinary
scan .
chmod 0 d/a
chmod 0 e
run 3 validate
out_has "unreadable: $T/work/d/a (Permission denied)"
out_has "unreadable: $T/work/e/b (Permission denied)"
out_line 'fine        1 file, 4 B'
out_line 'unreadable  3 files'
chmod 700 e
run 3 validate
out_line 'fine        3 files, 12 B'
# Quiet about all but corruption.
run 3 validate -q
out </dev/null
