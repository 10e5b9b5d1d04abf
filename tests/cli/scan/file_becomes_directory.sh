# SPDX-License-Identifier: MIT
# Where a file was that is a directory now, a scan of that directory alone drops the file.
. "$srcdir/tests/cli/lib.sh"

mkdir t
printf 'one' >t/f
printf 'one' >t/g
scan t
rm t/f
mkdir t/f
printf 'two' >t/f/g
scan t/f
out_line 'index       1 new, 0 changed, 1 gone, 0 unchanged'
rows 'SELECT path FROM file_view ORDER BY path'
out <<END
$T/work/t/f/g
$T/work/t/g
END
run 0 ls -c "$T/work/" -r t
out_lacks gone
run 0 check
scan t
rows 'SELECT count(*) FROM file_view'
out <<'END'
2
END
