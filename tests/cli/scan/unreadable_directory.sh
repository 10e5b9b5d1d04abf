# SPDX-License-Identifier: MIT
# What lies in a directory that can't be read any more stays in the index; the exit status is 3.
. "$srcdir/tests/cli/lib.sh"

mkdir -p open shut/deep
printf 'same' >open/a
printf 'same' >shut/b
printf 'same' >shut/deep/c
ordinary
scan .
$as chmod 000 shut
run 3 scan --racy-window 0s
err_has "$T/work/shut': Permission denied"
out_line 'unreadable  1 Permission denied'
out_line 'index       0 new, 0 changed, 0 gone, 1 unchanged'
rows "SELECT substr(path, length('$T/work/') + 1) FROM file_view ORDER BY path"
out <<'END'
open/a
shut/b
shut/deep/c
END
rows "SELECT error > 0 FROM dir_view WHERE path = '$T/work/shut'"
out <<'END'
1
END
# Their content can't be vouched for now, but they are not said to be gone.
run 3 ls -c "$T/work/"
out_lacks gone
run 0 check
$as chmod 755 shut
scan
out_line 'read        0 files, 0 B'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
open/a
shut/b
shut/deep/c

END
