# SPDX-License-Identifier: MIT
# A directory that was moved within its volume costs no reading, whatever lies in it.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/b/c other
printf 'same' >a/b/c/x
printf 'same' >a/b/y
printf 'same' >other/z
printf 'long enough' >a/b/unique
scan .
mv a/b other/moved
scan .
out_line 'read        0 files, 0 B'
run 0 ls -c "$T/work/"
out <<'END'
       dup  other/z
    unique  other/moved/unique
       dup  other/moved/y
       dup  other/moved/c/x
END
# Two directories change places.
mkdir p q
printf 'in p' >p/f
printf 'in q' >q/f
scan .
mv p r && mv q p && mv r q
scan .
out_line 'read        0 files, 0 B'
run 0 check
cp other/moved/y "$T/stranger"
[ "$(cat p/f)" = 'in q' ] || fail 'the test itself is wrong'
rm q/f
scan .
printf 'in q' >new
scan .
run 0 report --format fdupes -c "$T/work/" p
out <<'END'
new
p/f

END
run 0 check
