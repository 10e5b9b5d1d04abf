# SPDX-License-Identifier: MIT
# rm removes a file of which a copy stays, tells which, and brings the index up to date; what is unique stays.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >d/a
printf 'same' >e/b
printf 'only' >d/u
: >d/empty
scan .
run 0 rm d/a --yes
[ ! -e d/a ] && [ -e e/b ] || fail 'the wrong file is gone'
out_line "removed: $T/work/d/a"
out_line "  stays: $T/work/e/b"
out_has '1 file removed, '
rows "SELECT name FROM file_view ORDER BY name"
out <<'END'
b
empty
u
END
run 0 check

# Unique now, and so are these.
run 1 rm e/b --yes
out <<END
stays: $T/work/e/b (unique)
0 files removed
END
run 1 rm d/u d/empty --yes -q
out </dev/null
[ -e e/b ] && [ -e d/u ] && [ -e d/empty ] || fail 'a file without a copy is gone'
# One that nobody scanned, and one that is not there, are slips of the pen: nothing is done.
printf 'same' >d/new
printf 'same' >d/new2
run 2 rm d/new --yes
err_has 'scan it first'
run 2 rm d/none --yes
run 2 rm --yes
# A link is not the file at its end.
cp e/b d/b
ln -s b d/link
scan .
run 2 rm d/link --yes
err_has 'is a symbolic link'
[ -L d/link ] && [ -e d/b ] || fail 'the file at the end of a link is gone'
[ -e d/new ] || fail 'a file that was never scanned is gone'
