# SPDX-License-Identifier: MIT
# -l shows state, size, copies, redundant bytes and time in aligned columns; without it no byte of the listing changes.
. "$srcdir/tests/cli/lib.sh"

mkdir sub
printf 'same' >a
printf 'same' >sub/b
printf 'same' >sub/c
ln a sub/link
printf 'lone one' >u
dd if=/dev/zero of=large bs=1536 count=1 2>/dev/null
cp large sub/large
: >empty
touch -t 202002291234.56 a large sub/*
touch -t 199912312359 u empty
scan .
printf 'later' >zlater
touch -t 200101010101 zlater
ln -s a symlink
run 0 ls -l -c "$T/work/"
out <<'END'
       dup         4 B       2         8 B  2020-02-29 12:34  a
     empty         0 B       -           -  1999-12-31 23:59  empty
       dup     1.5 KiB       1     1.5 KiB  2020-02-29 12:34  large
   skipped           -       -           -                 -  symlink (symbolic link)
    unique         8 B       -           -  1999-12-31 23:59  u
   unknown         5 B       -           -  2001-01-01 01:01  zlater (not in the index: scan again)
       dup         4 B       2         8 B  2020-02-29 12:34  sub/b
       dup         4 B       2         8 B  2020-02-29 12:34  sub/c
       dup     1.5 KiB       1     1.5 KiB  2020-02-29 12:34  sub/large
       dup         4 B       2         8 B  2020-02-29 12:34  sub/link
END
run 0 ls --long --bytes -v sub/large -c "$T/work/"
out <<'END'
       dup             1536       1             1536  2020-02-29 12:34  sub/large
            copy  large
END
run 0 ls -l --si large -c "$T/work/"
out <<'END'
       dup      1.5 kB       1      1.5 kB  2020-02-29 12:34  large
END
TZ=XST-2
run 0 ls -l u -c "$T/work/"
TZ=UTC
out <<'END'
    unique         8 B       -           -  2000-01-01 01:59  u
END

# The other two.  What is excluded is no copy; with -H every name is one, and links free nothing all the same.
run 0 dups -l -x large -x sub/c sub -c "$T/work/"
out <<'END'
       dup         4 B       1         4 B  2020-02-29 12:34  sub/b
       dup         4 B       2         8 B  2020-02-29 12:34  sub/c
       dup         4 B       1         4 B  2020-02-29 12:34  sub/link
END
run 0 dups -l -H a -c "$T/work/"
out <<'END'
       dup         4 B       3         8 B  2020-02-29 12:34  a
END
run 3 uniques -l -c "$T/work/"
out <<'END'
    unique         8 B       -           -  1999-12-31 23:59  u
END

# A file that is gone has no copies, and is none.
rm sub/large
run 0 ls -l large sub -c "$T/work/"
out_line '    unique     1.5 KiB       -           -  2020-02-29 12:34  large'
out_line '      gone     1.5 KiB       -           -  2020-02-29 12:34  sub/large'

run 0 ls -c "$T/work/" a u
out <<'END'
       dup  a
    unique  u
END
# Formats for programs have no layouts.
for format in json ndjson csv; do
	run 0 ls --format $format
	cp "$T/out" "$T/short"
	run 0 ls -l --format $format
	out <"$T/short"
done
