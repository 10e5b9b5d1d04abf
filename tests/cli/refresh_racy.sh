# SPDX-License-Identifier: MIT
# A racy file that refresh reads again and finds as it was is not called changed.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
run 0 scan --racy-window 60s .
run 0 refresh
out_line 'files       2 looked at, 0 gone, 0 changed'
out_line 'read        2 files, 8 B'
