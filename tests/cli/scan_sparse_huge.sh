# SPDX-License-Identifier: MIT
# Files of more than 4 GiB are told apart by a byte beyond 4 GiB that is in neither head nor tail.
. "$srcdir/tests/cli/lib.sh"

truncate -s 4296M a b || skip 'no files of this size here'
[ "$(stat -c %b a)" -lt 100 ] || skip 'no holes on this file system'
printf x | dd of=b bs=1 seek=4504600000 conv=notrunc 2>/dev/null || skip 'no files of this size here'
scan .
out_line 'read        2 files, 8\.[0-9] GiB'
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
