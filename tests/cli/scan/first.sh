# SPDX-License-Identifier: MIT
# The first scan indexes every file, reads only those that share a size, and sums up.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/b
printf 'one' >a/x
printf 'one' >a/b/y
printf 'two' >z
printf 'lonely' >w
: >empty

scan .
out_line 'files       5 in 3 directories, 15 B'
out_line 'index       5 new, 0 changed, 0 gone, 0 unchanged'
out_line 'read        3 files, 9 B'
out_line 'duplicates  1 set, 3 B redundant when scanned'
out_line 'time  .*'
out_lacks 'unreadable'
out_lacks 'skipped'
run 0 ls -c "$T/work/"
out <<'END'
     empty  empty
    unique  w
    unique  z
       dup  a/x
       dup  a/b/y
END
run 0 check
out <<'END'
ok
END
