# SPDX-License-Identifier: MIT
# Links are no copies: linked; -I calls such files unique, -H calls them duplicates.
. "$srcdir/tests/cli/lib.sh"

printf 'linked' >a
ln a b
printf 'same' >c
printf 'same' >d
ln d e
scan .
run 0 ls -c "$T/work/"
out <<'END'
    linked  a
    linked  b
       dup  c
       dup  d
       dup  e
END
run 0 ls -I -c "$T/work/"
out <<'END'
    unique  a
    unique  b
       dup  c
       dup  d
       dup  e
END
run 0 uniques --hardlink-is-unique -c "$T/work/"
out <<'END'
a
b
END
run 0 ls -H -c "$T/work/"
out <<'END'
       dup  a
       dup  b
       dup  c
       dup  d
       dup  e
END
run 1 file a
run 0 file -H a
run 0 file c d e
