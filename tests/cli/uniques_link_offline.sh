# SPDX-License-Identifier: MIT
# Another name of an inode that is offline is still its link: the file is not called unique, and the doubt is told.
. "$srcdir/tests/cli/lib.sh"

mkdir a disk shut
printf 'one name there' >a/f
printf 'two names there' >a/g
printf 'a link that is here as well' >a/h
printf 'a copy, too' >a/c
cp a/c a/copy
printf 'read by no scan, for no other has this size' >a/u
printf 'one of each' >a/v
for name in f g h c u v; do
	ln a/$name disk/$name
done
ln a/g disk/g2
ln a/h a/h2
ln a/v shut/v
mkdir many
printf 'many names' >many/0
for i in 1 2 3 4 5 6 7 8 9; do
	ln many/0 disk/many$i
done
ordinary
scan a many disk shut
$as mv disk away
$as chmod 000 shut
run 3 ls a many -c "$T/work/"
out <<'END'
       dup  a/c
       dup  a/copy
    linked  a/f (its other link is offline)
    linked  a/g (its other links are offline)
    linked  a/h
    linked  a/h2
    linked  a/u (its other link is offline)
    linked  a/v (its other links are offline or unreadable)
    linked  many/0 (its other links are offline)
END
$as chmod 755 shut
run 0 ls a/f
run 1 file a/f -c "$T/work/"
out <<'END'
    linked  a/f (its other link is offline)
             ???  disk/f (offline)
END
run 3 uniques -v a
out </dev/null
err_has "not judged: $T/work/a/f (its other link is offline)"
err_has 'not judged: 3 unknown'
# Offline itself it is linked as of the last scan.
run 0 ls disk/g disk/f -c "$T/work/"
out <<'END'
    linked  disk/g (offline: as of the last scan)
    linked  disk/f (offline: as of the last scan)
END
# What lies only there is not known to be there.
run 3 contained a/f disk
out </dev/null
# Where links do not count, they leave no doubt; where they count as copies, they do.
run 0 uniques -I a/f -c "$T/work/"
out <<'END'
a/f
END
run 0 ls -H a/f -c "$T/work/"
out <<'END'
   unknown  a/f (another copy is offline)
END
$as mv away disk
run 0 ls a/f
out <<END
    linked  $T/work/a/f
END
