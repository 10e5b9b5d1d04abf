# SPDX-License-Identifier: MIT
# A byte that a disk flips below its file system, which knows nothing of it, is corrupt for validate, and the copy is good.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need debugfs
mkdir m
disk "$T/disk" m
mkdir m/t copy
seq 20000 >m/t/photo
seq 20000 >copy/photo
seq 20001 >m/t/other
scan m/t
scan copy
before=$(stat -c '%i %s %y %z' m/t/photo)
umount m
flip_byte "$T/disk" /t/photo
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
