# SPDX-License-Identifier: MIT
# refresh takes directories and files, by any spelling, and looks at nothing else.
. "$srcdir/tests/cli/lib.sh"

mkdir data data2
for f in data/a data/b data2/a data2/b; do printf 'same' >$f; done
scan .
rm data/a data/b data2/a data2/b
run 0 refresh data/../data/a
out_line 'files       1 looked at, 1 gone, 0 changed'
run 0 refresh -p data
out_line 'files       1 looked at, 1 gone, 0 changed'
rows 'SELECT count(*) FROM file_view'
out <<'END'
2
END
run 2 refresh nowhere
err_has 'not in the index'
# A directory that is gone altogether.
rmdir data2
run 0 refresh
out_line 'files       2 looked at, 2 gone, 0 changed'
run 0 check
