# SPDX-License-Identifier: MIT
# What lies on a volume that is not mounted now is kept, told by du, and comes back without reading.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir mnt
disk "$T/disk" mnt
rmdir mnt/lost+found
printf 'same' >mnt/a
printf 'same' >mnt/b
scan mnt
umount mnt
run 3 du mnt
err_has 'not judged: 2 offline (as of the last scan)'
need_linux ids of file systems, and what is mounted
run 3 scan --racy-window 0s mnt
err_has 'not mounted'
rows 'SELECT count(*) FROM file_view'
out <<'END'
2
END
run 0 report
out_lacks '(gone)'
# A nightly diff has nothing to say of a disk that is away.
mkdir o
run 3 scan --racy-window 0s o mnt
scan o
run 3 diff
err_has "'$T/work/mnt' was not scanned since"
run 0 diff --online
err_lacks 'not scanned'
mount -o loop "$T/disk" mnt || skip 'cannot mount again'
scan mnt
out_line 'read        0 files, 0 B'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
mnt/a
mnt/b

END

# Some mount points go with their disk, of a file system with an id of its own; then the index has the more of it.
# What was left out by options goes.
rm -f "$TWINDEX_DB"*
mkdir r
disk "$T/below" r
rmdir r/lost+found
umount mnt
mkdir r/usb r/dir
printf 'same' >r/dir/a
printf 'same' >r/here
mount -o loop "$T/disk" r/usb || skip 'cannot mount again'
scan r
umount r/usb
rmdir r/usb
rm -r r/dir
run 3 scan --racy-window 0s
err_has "'$T/work/r/usb': not mounted, and its mount point is gone"
out_line 'index       0 new, 0 changed, 1 gone, 1 unchanged'
run 1 file r/here
out_has 'usb/a (offline)'
mkdir r/usb
mount -o loop "$T/disk" r/usb || skip 'cannot mount again'
scan
out_line 'index       0 new, 0 changed, 0 gone, 3 unchanged'
run 0 scan --racy-window 0s -X r
rows 'SELECT count(*) FROM file_view'
out_line 1
scan --hidden r
umount r/usb
rmdir r/usb
scan --force-purge
rows 'SELECT count(*) FROM file_view'
out_line 1
run 0 check
