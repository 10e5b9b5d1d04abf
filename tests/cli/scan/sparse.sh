# SPDX-License-Identifier: MIT
# Sparse files are compared by what reads give, holes or not, and reported with what they occupy.
. "$srcdir/tests/cli/lib.sh"

truncate -s 1M hole1 hole2 || skip 'no truncate'
dd if=/dev/zero of=full bs=64k count=16 2>/dev/null
cp hole1 other
printf x | dd of=other bs=1 seek=500000 conv=notrunc 2>/dev/null
[ "$(stat -c %b hole1)" -lt 100 ] || skip 'no holes on this file system'
scan .
run 0 report -c "$T/work/"
out_has '3 copies of 1.0 MiB each, 2.0 MiB redundant ('
out_has ' on disk)'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
full
hole1
hole2

END
run 0 ls --json hole1
out_has '"allocated":'
run 0 uniques -c "$T/work/"
out <<'END'
other
END
