# SPDX-License-Identifier: MIT
# Files of more than 4 GiB are told apart by a byte beyond 4 GiB that is in neither head nor tail.  Their holes are
# not read: of files that are holes to their ends, nothing but the heads; and a hole equals zeros that are there.
. "$srcdir/tests/cli/lib.sh"
need_linux ways to skip holes

truncate -s 4296M a b || skip 'no files of this size here'
[ "$(stat -c %b a)" -lt 100 ] || skip 'no holes on this file system'
printf x | dd of=b bs=1 seek=4504600000 conv=notrunc 2>/dev/null || skip 'no files of this size here'
scan .
grep -q 'GiB$' "$T/out" && sed -n '/^read/p' "$T/out" | grep -q GiB && skip 'no SEEK_DATA on this file system'
out_line 'read        2 files, .* KiB'
run 0 ls -c "$T/work/"
out <<'END'
    unique  a
    unique  b
END
rows 'SELECT size FROM file_view'
out <<'END'
4504682496
4504682496
END

# One of them has 2 MiB of zeros in its middle, another only its end; a third is not all zeros after its first hole.
truncate -s 6G c d e f
dd if=/dev/zero of=d bs=1M count=2 seek=5000 conv=notrunc 2>/dev/null
dd if=/dev/zero of=e bs=1 count=1 seek=6442450943 conv=notrunc 2>/dev/null
printf x | dd of=f bs=1 seek=5368709120 conv=notrunc 2>/dev/null
scan --verify .
out_line 'read        [46] files, .* MiB'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
c
d
e

END
