# SPDX-License-Identifier: MIT
# Hard links: all names of an inode go one after another, its other names keep true rows, and only the last frees bytes.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >d/1
ln d/1 d/2
ln d/1 d/3
printf 'same' >e/other
scan .
run 0 rm d/1 d/2 --yes
out_has '2 files removed, 0 B freed on disk'
[ -e d/3 ] && [ ! -e d/1 ] && [ ! -e d/2 ] || fail 'wrong names are gone'
run 0 check
rows "SELECT nlink FROM file_view WHERE name = '3'"
out <<'END'
1
END
# The row is true: the file is not read again, and is a dup at once.
run 0 dups d
out <<END
$T/work/d/3
END
run 0 scan -n .
run 0 rm d/3 --yes
out_lacks '0 B freed on disk'
