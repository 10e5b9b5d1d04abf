# SPDX-License-Identifier: MIT
# refresh drops only what is proven to be gone: not what lies on a volume that is not mounted now, whether its
# mount point is empty, holds other files or is no more.  Queries call such files offline, not gone.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4
mkdir -p r/m
truncate -s 4M "$T/disk" && mkfs.ext4 -q -F "$T/disk" >/dev/null 2>&1 || skip 'mkfs.ext4 fails'
mount -o loop "$T/disk" r/m 2>/dev/null || skip 'cannot mount here'
mkdir r/m/sub r/sub
printf 'same' >r/m/sub/a
printf 'other' >r/m/b
printf 'same' >r/here
printf 'here' >r/sub/gone
scan r
umount r/m

# still N: refresh says why and keeps all N files; so do the queries.
still()
{
	run 3 refresh
	out_has ", 0 gone, 0 changed"
	err_has "'$T/work/$1': offline"
	[ "$(wc -l <"$T/err")" = 1 ] || fail 'told more than once'
	run 3 refresh r/m/b
	run 1 file r/here
	out_has 'r/m/sub/a (offline)'
	out_lacks 'gone)'
	rows 'SELECT count(*) FROM file_view'
	out_line 4
}
still r/m
mkdir r/m/sub
still r/m
printf 'nothing' >r/m/sub/a
still r/m
rm -r r/m
still r
# Of a volume that is there what is gone is gone.
mkdir r/m
mount -o loop "$T/disk" r/m || skip 'cannot mount again'
rm -r r/m/sub r/sub
run 1 file r/here
out_has 'r/m/sub/a (gone)'
run 0 refresh
out_has ', 2 gone, 0 changed'
run 0 check
