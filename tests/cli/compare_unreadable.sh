# SPDX-License-Identifier: MIT
# compare: what may be a file that can't be read is not called missing, unless its size tells.
. "$srcdir/tests/cli/lib.sh"
ordinary

mkdir a b
printf 'file 1' >a/x
printf 'file 2' >b/y
printf 'file 3' >b/same
printf 'longer' >a/same
printf '12' >a/size
printf '123' >b/size
chmod 000 b/y
run 3 scan --racy-window 0s .
run 3 compare a b
err_has 'not judged: 1 unreadable'
run 3 compare -r --only-left --different a b
out <<END
! same
! size
END
run 3 compare -r --only-right --same --moved a b
out </dev/null
chmod 644 b/y
scan .
run 1 compare -r --only-left --only-right --different a b
out <<END
! same
! size
< x
> y
END
# So with a directory that can't be listed.
mkdir b/dir
chmod 000 b/dir
run 3 scan --racy-window 0s .
run 3 compare a b
err_has "unreadable $T/work/b/dir"
chmod 755 b/dir
rmdir b/dir

# A file that no scan had to read is read for another index, if its size does not tell.
rm a/x a/size b/size b/same
chmod 000 b/y
printf 'FILE 2' >a/like
printf 'longer than that' >a/same
scan --db "$T/a.db" a
scan --db "$T/b.db" --secret-from "$T/a.db" b
run 3 compare --db "$T/a.db" --with "$T/b.db" -v --only-left --only-right -r a b
out <<END
< same
END
err_has "not judged: $T/work/b/y (it can't be read now)"
chmod 644 b/y
scan --db "$T/b.db" b
run 1 compare --db "$T/a.db" --with "$T/b.db" --only-left --only-right -r a b
out <<END
< like
< same
> y
END
