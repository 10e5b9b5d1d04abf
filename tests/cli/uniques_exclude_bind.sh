# SPDX-License-Identifier: MIT
# -x DIR leaves out as well what mounts elsewhere show of DIR, for it goes with DIR.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir -p old/sub home/a 'home/b c' home/d
echo precious >old/sub/f
cp old/sub/f home/a/f
mount --bind old/sub 'home/b c' || skip 'no bind mounts here'
scan home

for question in 'uniques -x old home/a' 'at-risk --files -x old home/a' 'uniques -x old/sub home/a'; do
	# shellcheck disable=SC2086
	"$TWINDEX" $question >"$T/out" 2>"$T/err"
	out_line "$T/work/home/a/f"
done
run 0 uniques -x old home/a
err_has "'$T/work/home/b c' shows what lies in '$T/work/old', and is left out, too"
run 1 redundant -x old home/a
run 1 file -x old home/a/f
# Another directory of that file system is none of it.
run 0 file -x home/d home/a/f
err_lacks 'left out'
# What is mounted below DIR is seen elsewhere, too.
umount 'home/b c'
mkdir far
mount -t tmpfs none far && mkdir far/x && cp old/sub/f far/x/f && mount --bind far/x old/sub || skip 'no tmpfs here'
rm home/a/f
cp far/x/f home/a/f
scan home far
run 1 file -x old home/a/f
err_has 'shows what lies in'
