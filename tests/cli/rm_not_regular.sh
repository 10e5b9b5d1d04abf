# SPDX-License-Identifier: MIT
# ACT-7: what became a directory, a FIFO or a link since the scan, or during the act, is neither opened for long nor removed.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in 1 2 3 4; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
rm d/1 d/2 d/3
mkdir d/1
printf 'content 1' >d/1/inside
mkfifo d/2 || skip 'no FIFOs here'
ln -s ../e/3 d/3
run 3 rm -r d --yes
[ -e d/1/inside ] && [ -p d/2 ] && [ -L d/3 ] && [ ! -e d/4 ] || fail 'the wrong thing is gone'
# At the last moment: the keeper's name leads to a FIFO, the victim's to a directory.
cp -p e/4 d/4
scan .
hold renameat2 1 rm d/4 --yes
rm e/4
mkfifo e/4
resume 3
[ -f d/4 ] || fail 'the last copy is gone'
rm e/4
cp -p d/4 e/4
scan .
hold renameat2 1 rm d/4 --yes
rm d/4
mkdir d/4
printf 'more' >d/4/inside
resume 3
[ -e d/4/inside ] || fail 'a directory is gone'
[ -z "$(find . -name '.twindex*')" ] || fail "left behind: $(find . -name '.twindex*')"
