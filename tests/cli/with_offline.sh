# SPDX-License-Identifier: MIT
# --with the index of a disk that is in the drawer: its copies are told as offline, with the index, and prove nothing.
. "$srcdir/tests/cli/lib.sh"

drawer=$T/drawer.db
mkdir disk here
printf 'on both' >here/both
printf 'on both' >disk/x
printf 'twice on it' >disk/y
cp disk/y disk/z
printf 'twice on it' >here/twice
printf 'here alone' >here/alone
printf 'size taken' >here/size
printf 'SIZE taken' >disk/size
printf 'of two..' >here/a
cp here/a here/b
cp here/a disk/c
scan here
scan --db "$drawer" --secret-from "$TWINDEX_DB" disk
run 0 uniques here --with "$drawer"
out <<END
$T/work/here/alone
$T/work/here/size
END
mv disk drawer
# What the disk's index has not read can't be read now: nothing is known of what has its size.
run 3 uniques here --with "$drawer"
out </dev/null
err_has 'not judged: 4 unknown'
run 3 uniques here --with "$drawer" -v
err_has "here/both (a file of its size that was not read is offline)"
err_has "here/twice (another copy is on an offline volume: index $drawer, seen 20"
run 3 contained here disk --with "$drawer"
out </dev/null
run 1 file here/twice --with "$drawer"
out_has "unknown  $T/work/here/twice (another copy is on an offline volume: index $drawer, seen 20"
run 1 file here/twice --json --with "$drawer"
out_has "\"index\":\"$drawer\",\"seen\":"

# A disk that was read whole is known in the drawer, too.
mv drawer disk
scan --db "$drawer" --hash-all disk
mv disk drawer
run 3 uniques here --with "$drawer"
out <<END
$T/work/here/alone
$T/work/here/size
END
run 3 uniques here --with "$drawer" -v
err_has "here/both (another copy is on an offline volume: index $drawer, seen 20"

run 3 dups here --with "$drawer" -v -c "$T/work/"
out_has 'here/a'
out_has "???  disk/c (offline) (index $drawer, seen 20"

# What is there now: the disk does not exist.
run 0 uniques here --with "$drawer" --online
out <<END
$T/work/here/alone
$T/work/here/both
$T/work/here/size
$T/work/here/twice
END
err_has "offline, and left out: $T/work/disk"

# The same from the other side: files of the disk, which is away, and their copies here.
scan --hash-all here
run 3 dups disk --db "$drawer" --with "$TWINDEX_DB"
out <<END
$T/work/disk/c
$T/work/disk/x
$T/work/disk/y
$T/work/disk/z
END
