# SPDX-License-Identifier: MIT
# --sort orders the whole listing, largest and newest first, equals by path; -r turns it round. The default is by directory.
. "$srcdir/tests/cli/lib.sh"

mkdir sub
printf 'three' >a
printf 'three' >sub/b
printf 'three' >sub/c
printf 'twice as long' >m
printf 'twice as long' >sub/n
printf 'the longest one of all' >sub/u
printf 'short' >z
touch -t 202001010000 a sub/n
touch -t 202101010000 sub/u
touch -t 202201010000 z
touch -t 201901010000 m sub/b sub/c
scan .

# listed OPTION...: the order in which ls lists the files.
listed() {
	run 0 ls "$@" -c "$T/work/"
	got=$(sed 's/.* //' "$T/out" | tr '\n' ' ')
	[ "$got" = "$order " ] || fail "ls $*: $got"
}
order='a m z sub/b sub/c sub/n sub/u'
listed
listed --sort name
order='sub/u sub/n sub/c sub/b z m a'
listed -r
listed --sort=name --reverse
order='sub/u m sub/n a sub/b sub/c z'
listed --sort size
order='z sub/c sub/b a sub/n m sub/u'
listed -r -s size
# Three copies of 5 bytes waste 10 for each of them, two of 13 waste 13.
order='m sub/n a sub/b sub/c sub/u z'
listed --sort redundant
order='z sub/u a sub/n m sub/b sub/c'
listed --sort time
order='z sub/u a sub/n'
run 0 ls --sort time z sub/u sub/n a -c "$T/work/"
[ "$(sed 's/.* //' "$T/out" | tr '\n' ' ')" = "$order " ] || fail 'several paths are not one listing'

# With everything that belongs to a line.
run 0 ls -v --sort size a m -c "$T/work/"
out <<'END'
       dup  m
            copy  sub/n
       dup  a
            copy  sub/b
            copy  sub/c
END
run 0 ls -l -r --sort redundant -c "$T/work/" a m z
out <<'END'
    unique         5 B       -           -  2022-01-01 00:00  z
       dup         5 B       2        10 B  2020-01-01 00:00  a
       dup        13 B       1        13 B  2019-01-01 00:00  m
END
run 0 dups --sort time -c "$T/work/"
out <<'END'
a
sub/n
m
sub/b
sub/c
END
run 0 uniques -r -s size -c "$T/work/"
out <<'END'
z
sub/u
END
run 0 ls --sort size --format csv
[ "$(sed -n 's/.*work\/\([^"]*\)".*/\1/p' "$T/out" | tr '\n' ' ')" = 'sub/u m sub/n a sub/b sub/c z ' ] || fail 'csv is not sorted'
run 0 dups --sort redundant -0 -c "$T/work/"
[ "$(tr '\0' ' ' <"$T/out")" = 'm sub/n a sub/b sub/c ' ] || fail 'null is not sorted'
run 2 ls --sort nonsense
err_has nonsense
run 2 ls --sort size nowhere .
out_has "/work/z"
