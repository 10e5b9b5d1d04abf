# SPDX-License-Identifier: MIT
# A file replaced by another of the same size and mtime is noticed: inode and ctime differ.
. "$srcdir/tests/cli/lib.sh"

printf 'AAAA' >a
printf 'AAAA' >b
touch -d '2020-01-02 03:04:05' a b
scan .
run 0 dups -c "$T/work/" --format fdupes
out <<'END'
a
b
END
# Another inode.
printf 'BBBB' >new
touch -r b new
mv new b
scan .
out_line 'index       0 new, 1 changed, 0 gone, 1 unchanged'
run 0 uniques -c "$T/work/"
out <<'END'
a
b
END
# The same inode.
printf 'AAAA' >b
touch -r a b
scan .
out_line 'index       0 new, 1 changed, 0 gone, 1 unchanged'
run 0 dups -c "$T/work/"
out <<'END'
a
b
END
