# SPDX-License-Identifier: MIT
# at-risk judges each name by itself: what lies in a trash keeps nothing, neither does the file itself, nor its links.
. "$srcdir/tests/cli/lib.sh"

# The trash comes before the file in the order of names.
mkdir -p home/docs home/.local/share/Trash/files
echo thesis >home/docs/thesis
cp home/docs/thesis home/.local/share/Trash/files/
scan home
for dir in '' home home/docs; do
	run 1 at-risk $dir
	out_has '1 file in '
	err_has 'other copies only in a trash: not counted'
done

mkdir -p v/old v/new
echo solo >v/old/solo
echo both >v/old/both
cp v/old/both v/new/
ln v/old/solo v/new/link
scan v
run 1 at-risk --in v v/old
out_has '1 of 2 files directly in'
run 1 at-risk --in v/new v/old

# What no scan has met, beside the roots in what is asked about.
mkdir -p w/a w/b w/c
echo x >w/a/x
cp w/a/x w/b/
scan w/a w/b
run 0 at-risk w/a w/b
echo y >w/c/y
echo z >w/z
run 3 at-risk w
err_has 'never scanned'
# What is alone in a trash has no other copy there.
rm -f "$TWINDEX_DB"*
mkdir -p t/.local/share/Trash/files t/d
echo only >t/.local/share/Trash/files/only
echo two | tee t/d/a >t/.local/share/Trash/files/a
scan t
run 1 at-risk
err_has '1 file has other copies only in a trash: not counted'
