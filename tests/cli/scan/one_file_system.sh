# SPDX-License-Identifier: MIT
# -X does not cross into other file systems; without it, they are entered.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
mkdir mnt
mount -t tmpfs -o size=1m twindex-test mnt 2>/dev/null || skip 'cannot mount here'
trap 'umount "$T/work/mnt" 2>/dev/null; cleanup' EXIT
printf 'same' >a
printf 'same' >mnt/b
scan -X .
out_line 'files       1 in 1 directory, 4 B'
out_line 'skipped     1 on another file system'
run 0 ls -c "$T/work/"
out_has '    unique  a'
# What lies there was not judged, at or above a mount point or below it.
mkdir mnt/deep
printf 'same' >mnt/deep/c
for command in uniques dups du; do
	run 3 $command .
	err_has 'not judged: 1 directory on another file system; -v'
done
run 3 uniques mnt
err_has 'not judged: 1 on another file system, 1 directory on another file system; -v'
run 3 uniques mnt/deep/c
err_has 'not judged: 1 on another file system; -v'
rm -r mnt/deep
rm "$TWINDEX_DB"*
scan .
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
mnt/b

END
# Stored with the root, and changed with it.
scan --one-file-system .
out_line 'skipped     1 on another file system'
scan
out_line 'skipped     1 on another file system'
