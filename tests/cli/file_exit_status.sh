# SPDX-License-Identifier: MIT
# file exits with 0 when every file has another copy, with 1 when one has none, with 2 when one does not exist.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
printf 'lone' >c
scan .
run 0 file a
out <<END
       dup  $T/work/a
            copy  $T/work/b
END
run 0 file a b
run 1 file c
out <<END
    unique  $T/work/c
END
run 1 file a c
run 1 file c a
run 2 file nowhere
err_has "'$T/work/nowhere' does not exist"
run 2 file a nowhere
run 2 file
err_has 'needs a path'
run 0 file -f a --file b
rm b
run 1 file a
out <<END
    unique  $T/work/a
             ---  $T/work/b (gone)
END
run 1 file b
out_has '      gone  '
printf 'changed' >a
run 1 file a
out_has '   changed  '
