# SPDX-License-Identifier: MIT
# refresh drops what is gone, reads what changed, and finds no new files.
. "$srcdir/tests/cli/lib.sh"

mkdir d
for n in a b c; do printf 'same' >d/$n; done
printf 'else' >d/e
printf 'stay' >f
scan .
rm d/a
printf 'same' >d/e
printf 'sam' >d/b
printf 'new!' >d/new
run 0 refresh --racy-window 0s
out_line 'files       5 looked at, 1 gone, 2 changed'
rows 'SELECT name FROM file_view ORDER BY name'
out <<'END'
b
c
e
f
END
run 0 report --format fdupes -c "$T/work/"
out <<'END'
d/c
d/e

END
run 0 check
run 0 refresh --racy-window 0s
out_line 'files       4 looked at, 0 gone, 0 changed'
out_line 'read        0 files, 0 B'
scan
run 0 ls d -c "$T/work/"
out <<'END'
    unique  d/b
       dup  d/c
       dup  d/e
    unique  d/new
END
run 0 check
