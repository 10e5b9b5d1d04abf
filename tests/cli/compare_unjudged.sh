# SPDX-License-Identifier: MIT
# compare never calls the same, different or missing what it could not judge: it counts it, with status 3.
. "$srcdir/tests/cli/lib.sh"

mkdir a b
for f in 1 2 3 4; do
	printf "file $f" >a/$f
	printf "file $f" >b/$f
done
scan .
run 0 compare a b
# New, changed, gone since the scan.
printf 'new' >a/new
run 3 compare a b
err_has 'not judged: 1 new'
rm a/new
printf 'FILE 1' >b/1
run 3 compare a b
err_has '1 changed'
out_has '1 file         6 B  not judged'
out_has 'as far as could be judged'
run 3 compare -v a b
err_has "not judged: $T/work/b/1 (changed)"
run 3 compare --only-left --different a b
out </dev/null
rm b/1
run 1 compare -r --only-left a b
out <<END
1
END
printf 'file 1' >b/1
scan .
run 0 compare a b
# Hidden by a scan; symbolic links hold no content.
mkdir b/.h
printf 'h' >b/.h/x
ln -s 1 a/link
scan . --no-hidden
run 3 compare a b
err_has '1 directory hidden'
err_has '1 symbolic link'
scan . --hidden
run 1 compare -r --only-right a b
out <<END
.h/x
END
rm -r b/.h
scan .
run 0 compare a b
# A root that is gone with its disk is told; one that is gone is an error.
mv b c
run 2 compare a b
err_has "'$T/work/b' does not exist"
mv c b
