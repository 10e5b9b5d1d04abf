# SPDX-License-Identifier: MIT
# A renamed file is known by its new name and no longer by the old one.
. "$srcdir/tests/cli/lib.sh"

printf 'abc' >a
printf 'abc' >b
printf 'abd' >c
scan .
mv b z
scan .
out_line 'index       1 new, 0 changed, 1 gone, 2 unchanged'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
z

END
mv c a
scan .
out_line 'index       0 new, 1 changed, 1 gone, 1 unchanged'
run 0 ls -c "$T/work/"
out <<'END'
    unique  a
    unique  z
END
run 0 check
