# SPDX-License-Identifier: MIT
# A touched file is read again and stays what it was.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
printf 'not so' >c
scan .
touch -d '2021-02-03' a c
scan .
out_line 'index       0 new, 2 changed, 0 gone, 1 unchanged'
out_line 'read        1 file, 4 B'
run 0 ls -c "$T/work/"
out <<'END'
       dup  a
       dup  b
    unique  c
END
