# SPDX-License-Identifier: MIT
# The summary counts every file that was read once, although its head is read before the rest.
. "$srcdir/tests/cli/lib.sh"

head -c 50000 /dev/zero >big1
head -c 50000 /dev/zero >big2
printf 'x' | dd of=big2 bs=1 seek=20000 conv=notrunc 2>/dev/null
scan .
out_line 'read        2 files, .*'
