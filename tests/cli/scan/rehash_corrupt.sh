# SPDX-License-Identifier: MIT
# scan --rehash tells of bytes that changed under the same inode, size and times, and which copies have the old ones.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
rot_tree
scan d
rm d/lone2
scan d
rot_some
run 0 scan --racy-window 0s -n
out_has 'would read  0 files'
run 1 scan --racy-window 0s --rehash
out_line 'corrupt     4 files have changed content under an unchanged size and time'
for name in b100 a70000 c70000; do
	err_has "$T/work/d/$name"
done
err_has 'content changed under an unchanged signature'
err_has "its old content is still in '$T/work/d/a100', '$T/work/d/c100'"
err_has "its old content is still in '$T/work/d/b70000'"
err_has "d/lone': no file of the index has its old content"
err_lacks fine
scan
run 0 scan --racy-window 0s --rehash
run 0 check
