# SPDX-License-Identifier: MIT
# contained A B: 0 if each file of A is also in B, 1 and the list of those that are not, 3 if that is not known.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/sub b/else other
printf 'one' >a/1
printf 'two' >a/sub/2
printf 'two' >a/sub/2b
cp a/1 b/else/x
cp a/sub/2 b/y
scan .
run 0 contained a b
out </dev/null
err_lacks twindex
run 1 contained b other
out <<END
$T/work/b/y
$T/work/b/else/x
END
# Files of A that have copies in A alone are missing, and hard links are not.
printf 'three' >a/3
cp a/3 a/33
printf 'four' >a/4
ln a/4 b/four
printf 'five' >a/5
cp a/5 other/
: >a/empty
ln -s 1 a/link
scan .
run 1 contained a b --relative
out <<END
3
33
5
END
err_has 'ignored: 1 symbolic link'
run 1 contained -0r a b
printf '3\00033\0005\0' | out
run 1 contained a b -I -r
out <<END
3
33
4
5
END
run 1 contained --json a b
out_has '"state":"unique"'
run 1 contained a/5 b -r
out <<END
5
END
run 0 contained a/1 b/else/x
# What rsync or cpio copies is in B afterwards.
run 1 contained -0r a b
(cd a && cp --parents $(tr '\0' ' ' <"$T/out") ../b/) || fail 'cp'
scan .
run 0 contained a b
# Any name.
n=$(printf 'new\nline\377')
printf 'hostile' >"a/$n"
scan .
run 1 contained -0r a b
printf '%s\0' "$n" | out
(cd a && xargs -0 cp --target-directory=../b <"$T/out") || fail 'cp'
scan .
run 0 contained a b
rm "a/$n" "b/$n"
scan .
# A copy that is gone is none; -x leaves one out.
rm b/y
run 1 contained -r a b
out <<END
sub/2
sub/2b
END
run 1 contained -r a b -x b/else
out_has 1
cp a/sub/2 b/y

# What the index does not know of A may be missing; of B it matters only if something is missing.
run 3 contained a b
err_has 'not judged: 1 changed since the scan, 2 unknown'
scan .
printf 'new' >b/new
run 0 contained a b
printf 'six' >a/6
run 3 contained a b
err_has '1 new'
rm b/new
scan .
run 1 contained a b
printf 'seven' >a/7
run 1 contained a b
out <<END
$T/work/a/6
END
err_has '1 new'
# So may a file of B that has another content now, be it another name's: nothing is said to be missing for certain.
rm a/7
scan .
cp a/6 b/else/x
run 3 contained a b -v
err_has "not judged: $T/work/b/else/x (changed)"
run 3 contained a/6 b/else/x
run 3 contained a b --with "$TWINDEX_DB"
err_has 'not judged: 1 changed since the scan'
cp a/1 b/else/x
scan .
mv b/y b/else/x
run 3 contained a b
cp b/else/x b/y
cp a/1 b/else/x
scan .
run 1 contained a b -r
out <<END
6
END
err_lacks changed
# What has changed in B does not matter where nothing is missing.
printf 'six' >b/6
printf 'other' >b/own
scan .
printf 'changed' >b/own
run 0 contained a b
rm b/6 b/own
scan .
printf 'seven' >a/7
mkdir b/.h
cp a/6 a/7 b/.h
scan . --no-hidden
run 3 contained a b
err_has '1 directory hidden'
scan . --hidden
run 0 contained a b

# One in the other.
run 0 contained a .
run 0 contained . a
rm b/y
printf 'eight' >b/8
scan .
run 1 contained a . -r
out <<END
sub/2
sub/2b
END
run 1 contained . a -r
out <<END
b/8
END
run 1 contained a/sub a
run 2 contained a ./a
err_has 'are one directory'
run 2 contained a
run 2 contained a b other
run 2 contained a typo
err_has "'$T/work/typo' does not exist"
run 2 contained typo a
mkdir outside
run 2 contained a outside
err_has 'is not in the index: scan it first'
# If B lies in A, what is not known of B may hold what is missing.
mkdir -p outer/inner
printf 'outer alone' >outer/f
printf 'inner' >outer/inner/g
scan outer
run 1 contained outer outer/inner
printf 'not scanned' >outer/inner/new
run 3 contained outer outer/inner
err_has 'not judged: 1 new'
