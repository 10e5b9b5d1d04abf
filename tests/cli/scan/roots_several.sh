# SPDX-License-Identifier: MIT
# Several roots are one index: copies are found across them, and each is scanned by itself.
. "$srcdir/tests/cli/lib.sh"

mkdir one two
printf 'same' >one/a
printf 'same' >two/b
scan one two
run 0 report --format fdupes -c "$T/work/"
out <<'END'
one/a
two/b

END
printf 'new1' >one/n
printf 'new2' >two/n
scan two
out_line 'files       2 in 1 directory, 8 B'
out_line 'index       1 new, 0 changed, 0 gone, 1 unchanged'
run 0 ls -c "$T/work/"
out <<'END'
       dup  one/a
   unknown  one/n (not in the index: scan again)
       dup  two/b
    unique  two/n
END
scan
out_line 'files       4 in 2 directories, 16 B'
