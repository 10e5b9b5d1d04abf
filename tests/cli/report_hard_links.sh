# SPDX-License-Identifier: MIT
# Redundant bytes count every inode once; -H counts names, and says what it says then.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
ln a b
ln a c
printf 'lone' >u
ln u v
scan .
run 0 report
out <<'END'
No duplicates.
END
run 0 report -H --sort path --format fdupes -c "$T/work/"
out <<'END'
a
b
c

u
v

END
printf 'same' >d
scan
run 0 report -c "$T/work/"
out <<'END'
2 copies of 4 B each, 4 B redundant
  a
  b (link)
  c (link)
  d

1 set, 4 files, 4 B redundant
END
# Removing every line but the first of a set must free what was promised, and no more names than that.
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
d

END
