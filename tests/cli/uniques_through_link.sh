# SPDX-License-Identifier: MIT
# A link where the index has a directory leads to no copies: what it leads to may be what -x leaves out.
. "$srcdir/tests/cli/lib.sh"

mkdir -p old/sub new/sub
printf 'photo' >old/photo
printf 'photo' >new/photo
printf 'letter' >old/sub/letter
printf 'letter' >new/sub/letter
scan .
mv new old/new
ln -s old/new new
run 0 uniques -x old old/sub -c "$T/work/"
out <<'END'
old/sub/letter
END
run 1 file -x old old/photo -c "$T/work/"
out_has '    unique  old/photo'
run 1 file old/sub/letter -c "$T/work/"
out_has 'gone'
run 0 report
out_has 'No duplicates.'
run 1 mark drop old/photo

# A link further up, with another way into the index that shares the inodes and their times.
rm -r new old
mkdir -p old new/deep/er
printf 'photo' >old/photo
printf 'photo' >new/deep/er/photo
scan --trust-mtime .
mkdir -p old/new/deep/er
ln new/deep/er/photo old/new/deep/er/photo
rm -r new
ln -s old/new new
scan old
run 0 uniques -x old old -c "$T/work/"
out_has 'old/photo'
