# SPDX-License-Identifier: MIT
# A directory that is seen at two paths is scanned once.  What a mount below it hides at one path, and the other one
# shows, is not judged: it is never passed over in silence.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir -p d/b/x d/c a
echo twice >d/b/f
cp d/b/f a/
echo alone >d/b/x/only
mount -t tmpfs none d/b/x || skip 'no tmpfs here'
mount --bind d/b d/c || skip 'no bind mounts here'
for first in d/b d/c; do
	rm -f "$TWINDEX_DB"*
	scan "$first" a
	scan d
	for question in 'uniques -x d d' 'uniques d' 'at-risk d'; do
		# shellcheck disable=SC2086
		run 3 $question
		err_has 'reached by another path'
	done
	"$TWINDEX" contained d a >"$T/out" 2>"$T/err" && fail 'contained'
	err_has 'reached by another path'
done
umount d/c

# The same below itself, and with all that is mounted: there nothing is hidden.
mount --rbind d/b d/c || skip 'no bind mounts here'
rm -f "$TWINDEX_DB"*
scan d a
run 0 contained d a
umount -R d/c
umount d/b/x
mkdir -p e/s
echo twice >e/f
echo alone >e/s/only
mount --bind e e/s
rm -f "$TWINDEX_DB"*
scan e a
run 3 contained e a
err_has 'not judged: 1 directory reached by another path'
umount e/s
