# SPDX-License-Identifier: MIT
# Nothing but problems goes to standard error when it is no terminal.
. "$srcdir/tests/cli/lib.sh"

truncate -s 300M a b 2>/dev/null || skip 'no sparse files'
scan .
out_line 'duplicates  1 set, .*'
[ ! -s "$T/err" ] || fail 'standard error is not empty'
run 0 refresh
[ ! -s "$T/err" ] || fail 'standard error is not empty'
