# SPDX-License-Identifier: MIT
# Files and directories that are gone leave the index, and what is left is judged anew.
. "$srcdir/tests/cli/lib.sh"

mkdir -p keep drop/deep
printf 'same' >keep/a
printf 'same' >drop/b
printf 'same' >drop/deep/c
printf 'else' >keep/d
scan .
rm keep/d
rm -r drop
scan .
out_line 'files       1 in 2 directories, 4 B'
out_line 'index       0 new, 0 changed, 3 gone, 1 unchanged'
out_line 'duplicates  0 sets, 0 B redundant'
rows 'SELECT name FROM file_view'
out <<'END'
a
END
rows 'SELECT path FROM dir_view ORDER BY path'
out <<END
$T/work
$T/work/keep
END
run 0 uniques -c "$T/work/"
out <<'END'
keep/a
END
run 0 check
