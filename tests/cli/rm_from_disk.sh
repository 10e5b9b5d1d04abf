# SPDX-License-Identifier: MIT
# rm compares with what the disk has of the copy, not with what memory still has: a stick may have lost it.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need mkfs.ext4 "$PYTHON"
mkdir stick
truncate -s 16M image
mkfs.ext4 -q image || skip 'cannot make a file system'
mount -o loop image stick 2>/dev/null || skip 'cannot mount here'
head -c 300000 /dev/urandom >photo
cp photo stick/
cp photo copy
sync -f stick
"$PYTHON" -S - <<'END' || skip 'the bytes are not found in the image'
import sys
first = open("photo", "rb").read(4096)
with open("image", "r+b") as f:
    at = f.read().find(first)
    if at < 0:
        sys.exit(1)
    f.seek(at)
    f.write(b"\xff" * 290000)
END
cmp -s photo stick/photo || skip 'memory has lost it already'
scan --exclude image .
run 3 rm -y --in stick photo
err_has 'its bytes differ'
[ -f photo ] || fail 'it relied on what memory had'
