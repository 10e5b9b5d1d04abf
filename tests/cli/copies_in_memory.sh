# SPDX-License-Identifier: MIT
# A copy in memory is gone at the next boot: no file on a disk relies on it, whether it is there or was.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux file systems by type

own_mounts
# An image in memory is memory: this one lies on a disk.
disk=$(mktemp "${DISK_TMPDIR:-/tmp}/twindex-disk.XXXXXX") || skip 'no disk'
mkdir disk ram live low upper
disk "$disk" disk
rm "$disk"
case $(df --output=fstype "${DISK_TMPDIR:-/tmp}" | tail -n 1) in
tmpfs | ramfs | overlay) skip 'no directory on a disk' ;;
esac
mount -t tmpfs none ram || skip 'no tmpfs here'
mkdir disk/docs
printf 'only here' >disk/docs/a
cp disk/docs/a ram/
scan disk/docs ram

run 1 contained disk/docs ram
run 0 uniques -x disk/docs disk/docs
out_line '.*/disk/docs/a'
run 1 at-risk disk/docs
err_has 'other copies only in memory: not counted'
run 1 at-risk --one-volume disk/docs
run 1 redundant disk/docs
run 1 rm -y disk/docs/a
[ -f disk/docs/a ] || fail 'rm relied on memory'
run 1 mark drop disk/docs/a
# Of a fleet's keys only the copy on the disk is one to rely on; but not in a directory of temporary files.
(unset TMPDIR && run 0 export --out "$T/export" --format csv) || exit
lasting=1
case $T in
/tmp/* | /var/tmp/*) lasting=0 ;;
esac
[ "$(cut -d, -f3,5-7 "$T"/export/*/kind=keys/b=*/*.csv | tr -d '\r')" = "size,inodes,names,lasting
9,1,1,$lasting
9,1,1,0" ] || fail "$(cat "$T"/export/*/kind=keys/b=*/*.csv)"
# What is in memory has a copy that lasts longer.
run 0 file ram/a
run 0 rm -n ram/a
run 0 volumes --format ndjson
out_has '"files":1,"bytes":9,"only_files":1,"only_bytes":9,'
out_has '"files":1,"bytes":9,"only_files":0,"only_bytes":0,'
# A rotating snapshot and memory rely on each other as little.
mkdir -p disk/.snapshots/1
mv disk/docs/a disk/.snapshots/1/
scan disk ram
run 0 volumes --format ndjson
[ "$(grep -c '"only_files":1,"only_bytes":9,' "$T/out")" = 2 ] || fail "one disk keeps what the other alone has: $(cat "$T/out")"
mv disk/.snapshots/1/a disk/docs/
scan disk ram

# After a boot it is offline, and comes back never.
umount ram
run 1 at-risk disk/docs
out_has '1 file'
run 1 file disk/docs/a
out_has 'its only other copy is in memory'
run 0 volumes
out_has "tmpfs, in memory, gone, was at $T/work/ram, seen"
run 0 volumes --json
out_has '"fs":"tmpfs","online":false,"memory":true,'
out_has '"fs":"ext4","online":true,"memory":false,'

# So was an image that lay in memory: that is known when it is away, too.
mount -t tmpfs none ram
mkdir image
disk ram/file image
printf 'imaged' >disk/docs/i
cp disk/docs/i image/
scan disk/docs image
run 0 volumes
out_has " free, in memory, at $T/work/image"
umount image
umount ram
run 0 uniques disk/docs
out_has "$T/work/disk/docs/i"
run 1 file disk/docs/i
out_has 'its only other copy is in memory'

# A live system: an overlay that is written to memory.
mount -t tmpfs none upper
mkdir upper/up upper/work
mount -t overlay overlay -o lowerdir=low,upperdir=upper/up,workdir=upper/work live 2>/dev/null || skip 'no overlay here'
printf 'another' >disk/docs/b
cp disk/docs/b live/
scan disk/docs live
run 1 contained disk/docs/b live
run 1 rm -y disk/docs/b
[ -f disk/docs/b ] || fail 'rm relied on an overlay on memory'
