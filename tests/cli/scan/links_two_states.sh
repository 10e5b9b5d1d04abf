# SPDX-License-Identifier: MIT
# Two names of an inode of which the index has two states are read one after the other: what the first of them
# gives to both is not lost with the second.
. "$srcdir/tests/cli/lib.sh"

mkdir t1 t2
echo 'old' >t1/a
ln t1/a t2/b
scan t1 t2
echo 'new' >t1/a
echo 'new' >t1/p
hold_path=a hold openat 1 scan --racy-window 0s t1
# The other name is read meanwhile.
sleep 0.5
resume 0
rows 'SELECT name, hash IS NOT NULL FROM file_view ORDER BY name'
out <<'END'
a	1
b	1
p	1
END
run 0 check
run 0 dups t1
out_has 't1/a'
