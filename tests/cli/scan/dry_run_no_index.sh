# SPDX-License-Identifier: MIT
# --dry-run leaves no index behind where there was none.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
run 0 scan --dry-run .
out_line 'would read  2 files, up to 8 B'
run 5 report
err_has 'run twindex scan first'
