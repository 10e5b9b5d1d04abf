# SPDX-License-Identifier: MIT
# Of a path that only leads to a root, ls lists that root's files, and not those of a directory above it.
. "$srcdir/tests/cli/lib.sh"

mkdir -p t/a/s
echo 1 >t/a/s/f
echo 1 >t/g
scan -q t
scan -q --exclude zz t/a/s
mv t/a away
echo 1 >t/a
run 3 scan -q
run 0 ls t/a
out_lacks t/a/g
out_lacks t/a/a
out_has t/a/s/f
