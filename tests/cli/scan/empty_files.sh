# SPDX-License-Identifier: MIT
# Empty files are no duplicates of each other.
. "$srcdir/tests/cli/lib.sh"

: >a
: >b
ln b c
scan .
out_line 'duplicates  0 sets, 0 B redundant'
run 0 ls -c "$T/work/"
out <<'END'
     empty  a
     empty  b
     empty  c
END
run 0 dups
out </dev/null
run 0 uniques
out </dev/null
run 1 file a
run 0 report
out <<'END'
No duplicates.
END
# An empty tree is no error either.
mkdir nothing
run 0 --db "$T/other" scan nothing
out_line 'files       0 in 1 directory, 0 B'
run 0 --db "$T/other" ls nothing
out </dev/null
