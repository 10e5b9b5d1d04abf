# SPDX-License-Identifier: MIT
# redundant tells last which directories could go but for a few files: at most three, or 1 %, and less than half of them.
. "$srcdir/tests/cli/lib.sh"

mkdir -p photos/2020 photos/2021 olds/2020 olds/2021
for i in 1 2 3 4 5 6; do
	printf 'photo %s' $i >photos/2020/$i
	cp photos/2020/$i olds/2020
	printf 'picture %s' $i >photos/2021/$i
	cp photos/2021/$i olds/2021
done
printf 'only here' >photos/2020/new
printf 'and only here' >olds/2021/other
scan .
# Two trees of which each has a file more than the other: parts of both go, and of the rest is said how near it is.
run 0 redundant -c "$T/work/"
out <<'END'
      54 B  photos/2021
            all 6 files are also in olds/2021
      42 B  olds/2020
            all 6 files are also in photos/2020
2 directories can go together: 12 files, 96 B to be freed.
2 more directories could each go but for a few files ('safe DIR' tells which):
     109 B  olds
            all but 1 of its 13 files are elsewhere, while those above stay
     105 B  photos
            all but 1 of its 13 files are elsewhere, while those above stay
END
run 1 safe olds
out_has other
run 0 redundant --json
out_has "{\"path\":\"$T/work/olds\",\"state\":\"all-but\",\"files\":13,\"bytes\":109,\"frees\":109,\"also_in\":[],\"elsewhere\":12,\"outside\":0,\"unseen\":0,\"missing\":1,\"alternative\":true,"
# Not what can go, and so neither the status nor what a pipe removes.
run 1 redundant olds/2021 -0
out </dev/null
run 1 redundant olds/2021 --json
out_has '"state":"all-but"'
out_has '"verdict":"stays"'
run 0 redundant -0
printf '%s\0' "$T/work/photos/2021" "$T/work/olds/2020" | out
run 0 redundant --format fdupes
printf '%s\n' "$T/work/photos/2021" "$T/work/olds/2020" | out
# Copies that do not count make more files lack one; two copies are nowhere, and what is protected stays anyway.
run 1 redundant olds --in photos/2021 -c "$T/work/"
out_lacks '13 files'
out_has '  olds/2021'
run 1 redundant --copies 2
out_lacks 'all but'
run 0 redundant --protect olds/2020/1
out_lacks '109 B'
out_has '105 B'
run 0 redundant --per-volume
out_lacks 'all but'
run 1 redundant --min-size 109
out_has 'work/olds'
out_lacks 'photos'
# Where nothing goes that they lean on they are near without a condition; what is gone is not told.
run 1 redundant olds --in photos -c "$T/work/" --min-size 100
out <<'END'
No directory can go as a whole.
1 directory could go but for a few files ('safe DIR' tells which):
     109 B  olds
            all but 1 of its 13 files are elsewhere
END
mv olds away
run 1 redundant --min-size 100
out_lacks 'work/olds'
mv away olds
# More than three files, and more than 1 %, are too many; so are half of the files, and most of the bytes.
for i in 2 3; do printf 'only %s' $i >olds/2021/other$i; done
scan .
run 1 redundant --min-size 100 -c "$T/work/" olds
out_has 'all but 3 of its 15 files are elsewhere'
printf 'only 4' >olds/2021/other4
scan .
run 1 redundant --min-size 60 -c "$T/work/" olds
out_lacks 'all but'
rm olds/2021/other?
head -c 300 /dev/zero >olds/2021/large
scan .
run 1 redundant --min-size 100 olds
out_lacks 'all but'
# One in a hundred of four hundred is four.
mkdir many many/copies rest
i=0
while [ $i -lt 400 ]; do
	printf 'one of many %s' $i >rest/$i
	i=$((i + 1))
done
cp rest/* many/copies
for i in 1 2 3 4; do printf 'lost %s' $i >many/$i; done
scan .
run 1 redundant many --protect rest
out_has 'all but 4 of its 404 files are elsewhere'
# Hidden directories are left alone.
mv many .many
scan .
run 0 redundant --protect rest
out_lacks '404'
