# SPDX-License-Identifier: MIT
# With --trust-mtime a row may be older than a link made since: its names are still one inode.
. "$srcdir/tests/cli/lib.sh"

mkdir a s
head -c 1000 /dev/urandom >a/x
head -c 1000 /dev/urandom >a/y
scan --trust-mtime --racy-window 0s a
ln a/x s/x
scan --racy-window 0s s
run 1 file a/x -c "$T/work/"
out_has '    linked  a/x'
out_lacks 'copy'
run 0 report
out_has 'No duplicates'

# A file that is not in the index is compared with one whose ctime alone has changed.
head -c 3000 /dev/zero >a/z
scan a
ln a/z z-link
cp a/z copy
run 0 file copy -c "$T/work/"
out <<'END'
       dup  copy (not in the index)
            copy  a/z
END
