# SPDX-License-Identifier: MIT
# info shows the index, its roots with their options, counts and the last runs.
. "$srcdir/tests/cli/lib.sh"

mkdir one two
printf 'same' >one/a
printf 'same' >two/b
scan --no-hidden one
scan two
run 0 info
out_line "index       $TWINDEX_DB"
out_line 'format      version 6, xxh3-128'
out_line 'files       2 in 2 directories'
out_line 'duplicates  1 set, 4 B redundant when scanned'
out_line "root        $T/work/one  (--no-hidden)"
out_line "root        $T/work/two"
out_line 'scan 2      ....-..-.. ..:.., finished after [01]\.0 s, 1 file.*'
run 0 refresh
run 0 info
out_line 'refresh 3   ....-..-.. ..:.., finished.*'
run 2 info extra
err_has "info takes no operand: 'extra'"
