# SPDX-License-Identifier: MIT
# A byte that a disk flips below its file system, which knows nothing of it, is corrupt for validate, and the copy is good.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4 debugfs
mkdir m
truncate -s 8M "$T/disk" && mkfs.ext4 -q -F "$T/disk" >/dev/null 2>&1 || skip 'mkfs.ext4 fails'
mount -o loop "$T/disk" m 2>/dev/null || skip 'cannot mount here'
mkdir m/t copy
seq 20000 >m/t/photo
seq 20000 >copy/photo
seq 20001 >m/t/other
scan m/t
scan copy
before=$(stat -c '%i %s %y %z' m/t/photo)
umount m
block=$(debugfs -R 'blocks /t/photo' "$T/disk" 2>/dev/null | cut -d' ' -f1)
size=$(debugfs -R stats "$T/disk" 2>/dev/null | sed -n 's/^Block size: *//p')
printf '!' | dd of="$T/disk" bs=1 seek=$((block * size + 77)) conv=notrunc 2>/dev/null
mount -o loop "$T/disk" m || fail 'cannot be mounted again'
[ "$before" = "$(stat -c '%i %s %y %z' m/t/photo)" ] || fail 'the signature is another one'
run 1 validate
umount m
out_line "   corrupt: $T/work/m/t/photo (content changed under an unchanged signature)"
out_line "      good: $T/work/copy/photo"
# The other way round: the good copy is beside the corrupt file that was asked for, not below the path.
mount -o loop "$T/disk" m
run 1 validate m/t/photo
umount m
out_line "      good: $T/work/copy/photo"
# Without its disk it is offline.
run 3 validate m
out_has "offline: $T/work/m/t/photo"
