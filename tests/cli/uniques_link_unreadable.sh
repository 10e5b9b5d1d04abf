# SPDX-License-Identifier: MIT
# Another name of an inode that cannot be looked at is still its link: the file is not called unique, and the doubt is told.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a shut o moved
printf 'it has one name' >moved/k
printf 'two names' >a/f
printf 'three names' >a/g1
printf 'a copy and a link' >a/c
cp a/c shut/copy
printf 'read by no scan, for no other has this size' >a/u
for name in f c u; do
	ln a/$name shut/$name
done
ln a/g1 a/g2
ln a/g1 shut/g3
ln a/f o/f
mkdir many
printf 'many names' >many/0
for i in 1 2 3 4 5 6 7 8 9; do
	ln many/0 many/$i
	ln many/0 shut/$i
done
ordinary
scan a
scan many
scan shut
$as chmod 000 shut
run 3 ls a -c "$T/work/"
out <<'END'
   unknown  a/c (another copy is unreadable)
    linked  a/f (its other link is unreadable)
    linked  a/g1
    linked  a/g2
    linked  a/u (its other link is unreadable)
END
# One link that is there answers; however many more there are.
run 0 ls many/0 many/9
out <<END
    linked  $T/work/many/0
    linked  $T/work/many/9
END
run 1 file a/f -c "$T/work/"
out <<'END'
    linked  a/f (its other link is unreadable)
             ???  shut/f (unreadable: Permission denied)
END
# One outside of the index, too.
run 1 file o/f -c "$T/work/" -x a
out <<'END'
    linked  o/f (its other link is unreadable)
            skip  a/f (excluded)
             ???  shut/f (unreadable: Permission denied)
END
run 3 uniques a
out </dev/null
err_has 'not judged: 2 unreadable, 1 unknown'
run 3 uniques -v a
err_has "not judged: $T/work/a/f (its other link is unreadable)"
# Of many names none can be looked at but the one that is asked for.
$as rm many/1 many/2 many/3 many/4 many/5 many/6 many/7 many/8 many/9
scan many
run 3 uniques many
out </dev/null
run 3 ls many -c "$T/work/"
out <<'END'
    linked  many/0 (its other links are unreadable)
END
# Where links do not count, they leave no doubt; where they count as copies, they do.
run 0 uniques -I many -c "$T/work/"
out <<'END'
many/0
END
run 3 ls -H a/f -c "$T/work/"
out <<'END'
   unknown  a/f (another copy is unreadable)
END
# A certain copy is a copy, whatever cannot be looked at.
$as cp a/u a/v
scan a
run 0 file a/u -c "$T/work/"
out <<'END'
       dup  a/u
            copy  a/v
             ???  shut/u (unreadable: Permission denied)
END
# Of a file that has one name only it was the name before: what lies there now is no link.
scan moved
$as mv moved/k o
$as chmod 000 moved
run 1 file o/k -c "$T/work/"
out <<'END'
    unique  o/k (not in the index)
             ???  moved/k (unreadable: Permission denied)
END
scan o
run 0 uniques o/k
out_has o/k
$as chmod 755 shut moved
run 0 ls a/f
out <<END
    linked  $T/work/a/f
END
