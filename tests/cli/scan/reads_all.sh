# SPDX-License-Identifier: MIT
# A scan that ends with 0 leaves nothing unread that a claim depends on, whatever it met on its way.
. "$srcdir/tests/cli/lib.sh"

mkdir t o

# Read again because it is racy, with another ctime, and a name that the scan does not come to.
head -c 5000 /dev/zero >t/a
cp t/a t/b
ln t/a o/l
run 0 scan --trust-mtime t
sleep 0.02
chmod 600 t/a
run 0 scan
run 0 report --format fdupes -c "$T/work/"
out <<'END'
t/a
t/b

END
run 0 check
out <<'END'
ok
END
rm -rf t o "$TWINDEX_DB"*

# A file outside the part that is scanned has another size than the index says.
mkdir -p t/r1 t/r2
printf '1' >t/r2/f
printf 'ab' >t/r1/e
scan t/r1 t/r2
printf 'xy' >t/r2/f
printf '2' >t/r1/n
scan t/r1
run 0 uniques -c "$T/work/" t/r1
out <<'END'
t/r1/e
t/r1/n
END
run 0 check
out <<'END'
ok
END
# It is gone: then it is dropped, for its directory is there.
printf 'abc' >t/r2/g
scan
printf 'abd' >t/r1/o
rm t/r2/g
scan t/r1
out_has '1 gone'
run 0 uniques -c "$T/work/" t/r1
run 0 check
out <<'END'
ok
END
# Its directory is not: nothing is known of it, and that is said.
printf 'abcd' >t/r2/h
scan
mv t/r2 t/away
printf 'abce' >t/r1/p
run 3 scan --racy-window 0s t/r1
out_has 'unread      1 file that is not there, and may come back'
run 3 ls -c "$T/work/" t/r1/p
out <<'END'
   unknown  t/r1/p (a file of its size is offline, and was not read before)
END
err_has 'files that may be copies could not be read yet'

# Not read where no other inode has its size.
rm -rf t o "$TWINDEX_DB"*
mkdir t o
printf 'EEEEE' >t/e
ln t/e o/e
run 0 scan t
out_has 'read        0 files'
