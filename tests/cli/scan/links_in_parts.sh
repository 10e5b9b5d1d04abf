# SPDX-License-Identifier: MIT
# Links that a scan of a part has met: rows that the disk has overtaken prove nothing.
. "$srcdir/tests/cli/lib.sh"

# A snapshot as people make it, and a scan of that alone: the older rows know no link.
mkdir -p home/photos
for i in 1 2 3; do echo "photo $i" >home/photos/$i; done
scan home
sleep 0.05
cp -al home/photos home/snap
scan home/snap
for dir in '' home home/photos home/snap; do
	run 3 redundant $dir
	out_has 'No directory can go'
	run 3 at-risk $dir
done
run 3 redundant -0
out </dev/null
# A whole scan heals it.
scan home
run 0 redundant home/snap
run 1 at-risk home

# A link to a file that was edited in place, without a change of its size.
mkdir -p t/h/h
head -c 131073 /dev/zero >t/g
cp t/g t/q
ln t/g t/h/b
echo dup >t/z
cp t/z t/h/h/z
scan t
sleep 0.05
ln t/g t/h/h/c
printf X | dd of=t/h/b bs=1 conv=notrunc 2>/dev/null
scan t/h/h
run 3 at-risk t/h/h
run 3 redundant t/h/h
rm t/g t/h/b
run 3 redundant t/h/h
run 3 redundant -0
out_lacks t/h
run 3 at-risk t/h/h

# A link that nobody has met keeps nothing unless that is said.
mkdir -p u/d .Trash-0/files
echo precious >u/d/f
ln u/d/f .Trash-0/files/f
scan u
run 1 redundant u/d
run 0 redundant --outside-links u/d
run 1 at-risk u/d
