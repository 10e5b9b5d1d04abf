# SPDX-License-Identifier: MIT
# A scan that was refused for its arguments leaves no index behind: nothing was scanned.
. "$srcdir/tests/cli/lib.sh"

run 2 scan nowhere
run 5 report
err_has 'run twindex scan first'
run 2 scan --min-size 2k --max-size 1k .
run 5 report
err_has 'run twindex scan first'
