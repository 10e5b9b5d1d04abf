# SPDX-License-Identifier: MIT
# Where two commands count the same files in two ways, each number says which way it is.
. "$srcdir/tests/cli/lib.sh"

mkdir -p t/a t/b t/.local/share/Trash/files
printf '%5000s' big | tee t/a/big t/b/big >t/.local/share/Trash/files/big
printf '%3000s' linked >t/a/l
ln t/a/l t/b/l

# scan, info and refresh count what the index has, but for a trash, as report does, which looks.
scan t
out_has 'duplicates  1 set, 4.9 KiB redundant when scanned'
out_has ', 20.5 KiB, hard links counted by each name'
run 0 info
out_has 'duplicates  1 set, 4.9 KiB redundant when scanned'
run 0 refresh t
out_has 'duplicates  1 set, 4.9 KiB redundant when scanned'
run 0 report
out_has '1 set, 2 files, 4.9 KiB redundant'
# A directory comes into a trash, and out of it; SQLite counts then, not what made the indexes.
mkdir t/.Trash-1
mv t/b t/.Trash-1/b
scan t
out_has 'duplicates  0 sets, 0 B redundant'
mv t/.local/share/Trash/files t/files
scan t
out_has 'duplicates  1 set, 4.9 KiB redundant when scanned'
mv t/files t/.local/share/Trash/files
mv t/.Trash-1/b t/b
scan t
out_has 'duplicates  1 set, 4.9 KiB redundant when scanned'
rm t/b/l
scan t
out_lacks 'counted by each name'

# rm frees blocks of the disk, marks add up sizes.
run 0 mark drop t/a/big
run 0 marks
out_has '1 to drop, 8.0 KiB to be freed on disk'
run 0 rm -n --marked
out_line 'would remove 1 file, .* on disk'
run 0 rmsh --marked
out_line '# It is to remove 1 file, .* on disk.*'
run 0 rm --marked -y
out_line '1 file removed, .* freed on disk'
