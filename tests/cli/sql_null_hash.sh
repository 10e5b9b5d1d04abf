# SPDX-License-Identifier: MIT
# A file that was never read whole has no hash in the views either: NULL, which equals nothing.
. "$srcdir/tests/cli/lib.sh"

printf 'one' >a
printf 'three' >b
scan .
rows 'SELECT count(*) FROM file_view WHERE hash IS NULL'
out <<'END'
2
END
rows 'SELECT count(*) FROM file_view a JOIN file_view b USING (hash) WHERE a.name < b.name'
out <<'END'
0
END
