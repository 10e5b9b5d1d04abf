# SPDX-License-Identifier: MIT
# A new link to a file whose row is older than the link: both rows get what is read.
. "$srcdir/tests/cli/lib.sh"

mkdir -p tree/sub tree/a
head -c 8192 /dev/zero | tr '\0' 1 >tree/a/old

scan tree
ln tree/a/old tree/sub/link
head -c 8192 /dev/zero | tr '\0' 2 >tree/sub/other
# Only the part with the new names is walked.
scan tree/sub
run 0 check
run 1 file tree/sub/link tree/sub/other
out_lacks unknown
scan tree
run 0 check
# The same where the link comes first in the index.
mkdir tree/0
ln tree/sub/other tree/0/link
head -c 9000 /dev/zero | tr '\0' 3 >tree/sub/single
scan tree
ln tree/sub/single tree/0/of-single
head -c 9000 /dev/zero | tr '\0' 4 >tree/0/other
scan tree/0
run 0 check
