# SPDX-License-Identifier: MIT
# A new file makes an old one of its size interesting, which was never read before.
. "$srcdir/tests/cli/lib.sh"

printf 'first' >old
scan .
out_line 'read        0 files, 0 B'
printf 'first' >new
scan .
out_line 'read        2 files, 10 B'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
new
old

END
