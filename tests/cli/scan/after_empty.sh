# SPDX-License-Identifier: MIT
# The first files that an index gets may lie in directories that it knows: their sizes count as well.
. "$srcdir/tests/cli/lib.sh"

mkdir -p t/known
scan t
mkdir t/new
printf 'same' >t/known/x
printf 'same' >t/new/y
ln t/new/y t/new/z
scan --racy-window 0s t
run 0 check -q
run 0 ls t -c "$T/work/"
out <<'END'
       dup  t/known/x
       dup  t/new/y
       dup  t/new/z
END
