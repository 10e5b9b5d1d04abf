# SPDX-License-Identifier: MIT
# --cut leaves a prefix out of every path shown, in every format, and nothing else.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
scan .
run 0 report --cut "$T/work" --format fdupes
out <<'END'
/a
/b

END
run 0 report -c "$T/work/" --format null
printf 'a\0b\0\0' | out || exit
run 0 report -c "$T/work/" --json
out_has '"path":"a"'
run 0 report -c "$T/work/" --format csv
out_has ',"a",'
run 0 dups -v -c "$T/work/"
out <<'END'
a
            copy  b
b
            copy  a
END
run 0 report -c /elsewhere --format fdupes
out <<END
$T/work/a
$T/work/b

END
