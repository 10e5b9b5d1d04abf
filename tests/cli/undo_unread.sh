# SPDX-License-Identifier: MIT
# A file that comes back may equal one of its size that no scan had to read while it was away.
. "$srcdir/tests/cli/lib.sh"

mkdir d
printf 'content' >d/a
cp d/a d/b
scan d
need_linux renames that replace nothing: the trash needs that
HOME=$T XDG_DATA_HOME=$T/data run 0 rm d/a --trash --yes
# Alone of its size: nothing is to be read.
printf 'content' >d/b
scan d
run 0 undo
run 0 check
run 3 file d/a
out_lacks unique
run 3 uniques d
scan d
run 0 file d/a
out_has d/b
