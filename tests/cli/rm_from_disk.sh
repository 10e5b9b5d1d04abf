# SPDX-License-Identifier: MIT
# rm compares with what the disk has of the copy, not with what memory still has: a stick may have lost it.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

lossy_stick
scan --exclude image .
run 3 rm -y --in stick photo
err_has 'its bytes differ'
[ -f photo ] || fail 'it relied on what memory had'
