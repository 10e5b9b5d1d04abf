# SPDX-License-Identifier: MIT
# A directory in whose place there is a link when it is to be opened has vanished: that is no error.  So is a path
# through a link that leads nowhere.
. "$srcdir/tests/cli/lib.sh"

ln -s loop loop
run 2 scan loop/x
err_has "'$T/work/loop/x' does not exist"

mkdir -p r/a/deep elsewhere/deep
echo one >r/a/deep/f
echo one >r/g
echo two >elsewhere/deep/f
scan r
run 2 file loop/x
err_has "'$T/work/loop/x' does not exist"
rows 'SELECT name FROM file_view ORDER BY name'
out <<'END'
f
g
END
# Of a link in its own place the kernel says ENOTDIR, of one on the way ELOOP.
if is_linux; then
	step=a/deep n=1
else
	# It is on its way: a itself was opened before.
	step=a n=2
fi
hold_path=$step hold openat2 $n scan --threads 1 --racy-window 0s r
rm -r r/a
ln -s ../elsewhere r/a
resume 0
err_lacks "$T/work/r"
rows 'SELECT name FROM file_view ORDER BY name'
out <<'END'
g
END
run 0 check
