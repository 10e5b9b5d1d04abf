# SPDX-License-Identifier: MIT
# A named root that does not exist, or is no directory, is an error; the index stays as it was.
. "$srcdir/tests/cli/lib.sh"

printf 'x' >file
run 2 scan nowhere
err_has "'$T/work/nowhere' does not exist"
out </dev/null
run 2 scan file
err_has "'$T/work/file' is not a directory"
run 2 scan file/below
run 2 scan ''
err_has 'empty'
run 2 scan
err_has 'name a directory'
mkdir d
printf 'same' >d/a
printf 'same' >d/b
scan d
mv d e
# A stored root that is not there is no mistake of the user's: the others are scanned, its rows stay.
run 3 scan
err_has "'$T/work/d'"
run 2 scan d
rows "SELECT count(*) FROM file_view"
out <<'END'
2
END
mv e d
scan
out_line 'read        0 files, 0 B'
