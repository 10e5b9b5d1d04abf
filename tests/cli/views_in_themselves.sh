# SPDX-License-Identifier: MIT
# A program in user space that follows symbolic links shows one file under two inode numbers: no question takes that for
# two copies.  Files with different times of change are two, wherever they lie.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir d d/a d/true m
for f in 1 2 3; do
	echo "content $f" >d/a/f$f
done
ln -s a d/b
mount_ssh d m -o follow_symlinks,dir_cache=no
scan m
run 3 contained m/a m/b
out_lacks ' '
err_has 'not judged: 3 unknown'
run 1 redundant m/a
run 1 at-risk m
out_has '6 files, 60 B at risk.'
run 3 uniques -x m/a m/a
run 1 file m/a/f1
out_has 'unknown'
run 1 mark drop m/a/f1
run 1 rm -n m/a/f1
err_lacks 'would remove'

# Copies that were made at another time are copies.
for f in 1 2 3; do
	cp d/a/f$f d/true/f$f
	touch -d '2001-02-03' d/true/f$f
done
scan m
run 0 contained m/a m/true
run 0 uniques -x m/a m/a
run 0 mark drop m/a/f1
run 0 mark clear m/a/f1
run 0 rm -n m/true/f1
umount m
