# SPDX-License-Identifier: MIT
# diff calls no content the same that nobody has read: an edit in place that puts the mtime back is not compared.
. "$srcdir/tests/cli/lib.sh"

mkdir d
printf 'content 1' >d/edited
printf 'twice' | tee d/one >d/two
: >d/empty
touch -d '2020-01-01 12:00' d/*
scan d
printf 'content 2' >d/edited
touch -d '2020-01-01 12:00' d/edited
chmod 600 d/one d/empty
scan d
run 3 diff -c "$T/work/"
out_has '1 file         9 B  with other times and the same size, content not compared: it was not read'
out_has '2 files        5 B  with other times and the same content'
run 3 diff --touched -c "$T/work/"
printf 'd/edited  (content not compared)\nd/empty\nd/one\n' | out || exit
run 3 diff --touched --format json -c "$T/work/"
out_has '"maybe":true,"before":"d/edited"'
out_has '"maybe":false,"before":"d/one"'
out_has '"uncompared":{"files":1,"bytes":9}'

# With a hash it is seen.
scan --hash-all d
printf 'content 3' >d/edited
touch -d '2020-01-01 12:00' d/edited
scan d
run 1 diff -c "$T/work/"
out_line 'changed  d/edited'
