# SPDX-License-Identifier: MIT
# ACT-1: asking whether two files are one says nothing false of the next: beside an alias of the copy, real copies go.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

overlay
for f in 1 2 3; do printf 'same' >fs/upper/$f; done
mount -o remount fs/merged 2>/dev/null
scan fs/upper fs/merged
run 1 rm -r fs/merged --yes
out_has "stays: $T/work/fs/merged/1 (it is the same file as '$T/work/fs/upper/1', reached by another way)"
out_has '2 files removed'
[ "$(ls fs/upper)" = 1 ] || fail "left: $(ls fs/upper)"
# The probe gave the copy another ctime, which its row follows.
need_linux file systems by type
run 0 scan -n fs/upper
out_has "0 changed, 2 gone, 1 unchanged"
