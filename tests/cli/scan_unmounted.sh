# SPDX-License-Identifier: MIT
# What lies on a volume that is not mounted now is kept, and comes back without reading.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
need mkfs.ext4 mount umount
mkdir mnt
truncate -s 4M "$T/disk" && mkfs.ext4 -q -F "$T/disk" >/dev/null 2>&1 || skip 'mkfs.ext4 fails'
mount -o loop "$T/disk" mnt 2>/dev/null || skip 'cannot mount here'
trap 'umount "$T/work/mnt" 2>/dev/null; cleanup' EXIT
rmdir mnt/lost+found
printf 'same' >mnt/a
printf 'same' >mnt/b
scan mnt
umount mnt
run 3 scan --racy-window 0s mnt
err_has 'not mounted'
rows 'SELECT count(*) FROM file_view'
out <<'END'
2
END
run 0 report
out_lacks '(gone)'
mount -o loop "$T/disk" mnt || skip 'cannot mount again'
scan mnt
out_line 'read        0 files, 0 B'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
mnt/a
mnt/b

END
