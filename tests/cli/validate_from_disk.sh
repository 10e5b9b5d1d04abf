# SPDX-License-Identifier: MIT
# validate and scan --rehash read what the disk has of a file, not what memory still has: a stick may have lost it.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

lossy_stick
scan --exclude image .
run 0 validate --trust-cache stick
out_has 'fine        1 file'
run 1 validate stick
out_has "corrupt: $T/work/stick/photo"
out_has "good: $T/work/photo"

umount stick
rm -r image stick photo copy "$TWINDEX_DB"
lossy_stick
scan --exclude image .
scan --rehash --trust-cache .
run 1 scan --rehash --racy-window 0s .
err_has "$T/work/stick/photo"

run 2 scan --trust-cache .
err_has "option '--trust-cache' goes with --rehash"
