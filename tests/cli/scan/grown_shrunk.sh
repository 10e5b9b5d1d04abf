# SPDX-License-Identifier: MIT
# Grown and shrunk files leave their sets and join others.
. "$srcdir/tests/cli/lib.sh"

printf 'abc' >a
printf 'abc' >b
printf 'abcdef' >c
scan .
printf 'def' >>b
scan .
out_line 'index       0 new, 1 changed, 0 gone, 2 unchanged'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
b
c

END
printf 'abc' >b
printf '' >c
scan .
run 0 ls -c "$T/work/"
out <<'END'
       dup  a
       dup  b
     empty  c
END
run 0 check
