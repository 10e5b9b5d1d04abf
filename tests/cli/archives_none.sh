# SPDX-License-Identifier: MIT
# Without libarchive scan --archives says how to get it, info tells, and all else works.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive none$' || skip 'there is libarchive'
mkdir d
printf 'x' >d/a.zip
run 2 scan --archives d
err_has 'libarchive, which reads archives'
scan d
run 0 info
out_line 'archives    there is no libarchive: none can be opened'
run 0 ls d/a.zip
run 0 check
