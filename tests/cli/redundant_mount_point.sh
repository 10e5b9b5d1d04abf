# SPDX-License-Identifier: MIT
# redundant says of what can go that it is a mount point, or holds some: these stay themselves.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux what is mounted

own_mounts
mkdir -p keep old/disk old/other
mount -t tmpfs none old/disk || skip 'no tmpfs here'
mount -t tmpfs none old/other || skip 'no tmpfs here'
printf 'one' >keep/1
printf 'two' >keep/2
cp keep/1 old/disk
cp keep/2 old/other
scan keep old
run 0 redundant old -c "$T/work/"
out <<'END'
       6 B  old
            both files are also in keep
            2 mount points in it stay
1 directory can go: 2 files, 6 B to be freed.
END
run 0 redundant --json old
out_has '"mounts":2,'
run 0 redundant old/disk -c "$T/work/"
out <<'END'
       3 B  old/disk
            its only file is also in keep
            is a mount point: only what is in it can go
1 directory can go: 1 file, 3 B to be freed.
END
umount old/disk
cp keep/1 old/disk
scan old
run 0 redundant --json old/disk
out_has '"mounts":0,'
# What a person is told to type next leaves other disks alone.
command -v script >/dev/null || exit 0
mkdir near far
mount -t tmpfs none far || skip 'no tmpfs here'
cp keep/1 near
cp keep/1 far
rm -f "$TWINDEX_DB"*
scan keep far near
terminal 80 redundant
out_has 'some of these are on another disk'
out_has 'rm -r --include-hidden --prune-empty near'
rm near/1
scan
terminal 80 redundant
out_has 'some of these are on another disk'
out_lacks 'rm -r'
