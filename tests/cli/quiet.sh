# SPDX-License-Identifier: MIT
# -q prints results and fatal errors alone; -q and -v may stand before or after the command.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
run 0 -q scan --racy-window 0s .
out </dev/null
err_lacks twindex
run 0 scan -q
out </dev/null
run 0 refresh -q
out </dev/null
run 0 -q report --format fdupes -c "$T/work/"
out <<'END'
a
b

END
run 2 -q scan nowhere
err_has 'does not exist'
printf 'changed' >a
run 3 -q dups
out </dev/null
err_lacks judged
run 0 -v ls -c "$T/work/" b
cp "$T/out" "$T/first"
run 0 ls -v -c "$T/work/" b
out <"$T/first"
