# SPDX-License-Identifier: MIT
# A directory above known roots takes them in, without reading their files again; and below one, nothing changes.
. "$srcdir/tests/cli/lib.sh"

mkdir -p top/mid/low
printf 'same' >top/a
printf 'same' >top/mid/b
printf 'same' >top/mid/low/c
scan top/mid/low
scan top/mid
scan top
out_line 'files       3 in 3 directories, 12 B'
out_line 'read        1 file, 4 B'
rows 'SELECT count(*) FROM file_view'
out <<'END'
3
END
run 0 check
scan top/mid
out_line 'read        0 files, 0 B'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
top/a
top/mid/b
top/mid/low/c

END
