# SPDX-License-Identifier: MIT
# Another name of an indexed inode that the index does not have is a link, not a copy.
. "$srcdir/tests/cli/lib.sh"

mkdir in out
printf 'precious' >in/a
scan in
ln in/a out/link
scan in
run 1 file out/link -c "$T/work/"
out_has '    linked  out/link'
out_lacks 'copy'
printf 'precious' >in/b
scan in
run 0 file out/link -c "$T/work/"
out_has '            link  in/a'
out_has '            copy  in/b'
