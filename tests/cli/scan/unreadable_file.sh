# SPDX-License-Identifier: MIT
# A file that can't be read is reported, keeps its place in the index, and proves nothing; the rest is indexed.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
printf 'same' >c
printf 'different' >d
chmod 000 c
ordinary
run 3 scan --racy-window 0s .
err_has "$T/work/c': Permission denied"
out_line 'unreadable  1 Permission denied'
out_line 'files       4 in 1 directory, 21 B'
run 3 ls -c "$T/work/"
out <<'END'
       dup  a
       dup  b
unreadable  c (Permission denied)
    unique  d
END
run 3 uniques -c "$T/work/"
out <<'END'
d
END
err_has '1 unreadable'
run 3 file c
out_has 'unreadable'
# One that shares its size is not proven unique.
printf 'diff' >e
run 3 scan --racy-window 0s
run 0 ls -c "$T/work/" e
out <<'END'
   unknown  e (a file of its size could not be read)
END
run 0 check
# Readable again: the same scan makes it good.
$as chmod 600 c
scan
run 0 ls -c "$T/work/"
out <<'END'
       dup  a
       dup  b
       dup  c
    unique  d
    unique  e
END
