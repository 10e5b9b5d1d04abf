# SPDX-License-Identifier: MIT
# A file seen through another mount is no copy of itself; a root that is mounted twice stays where it is.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
mkdir r b
trap 'umount "$T/work/b" 2>/dev/null; cleanup' EXIT
printf 'only' >r/x
scan r
mount --bind r b 2>/dev/null || skip 'cannot mount here'
run 1 file b/x -c "$T/work/"
out_has '    linked  b/x'
out_lacks 'copy'
mkdir r/sub
printf 'deeper' >r/sub/y
scan r
umount b
mount --bind r/sub b
scan b
run 1 file r/sub/y -c "$T/work/"
out_has 'r/sub/y'
rows 'SELECT path FROM root_view ORDER BY path'
out_has "$T/work/r"
run 0 check
