# SPDX-License-Identifier: MIT
# --dry-run says what a scan would do and changes nothing.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
printf 'other' >c
scan .
printf 'same' >d
rm c
sum() { rows 'SELECT * FROM file_view'; cat "$T/out"; rows 'SELECT * FROM scan_view'; cat "$T/out"; rows 'SELECT * FROM root_view'; cat "$T/out"; }
before=$(sum)
run 0 scan -n .
out_line 'index       1 new, 0 changed, 1 gone, 2 unchanged'
out_line 'would read  1 file, up to 4 B'
run 0 scan --dry-run --no-hidden "$T"
[ "$before" = "$(sum)" ] || fail 'the index has changed'
run 0 check
scan .
out_line 'read        1 file, 4 B'
