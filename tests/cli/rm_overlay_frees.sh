# SPDX-License-Identifier: MIT
# On an overlay what rm says to be freed is the most that it may be: what lies in a lower layer stays there.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need_linux types of file systems
overlay
fill 72 a >fs/lower/f
cp fs/lower/f fs/lower/g
scan fs/merged
run 0 rm -n fs/merged/f
out_has 'would remove 1 file, at most 72.0 KiB on disk'
run 0 rmsh fs/merged/f
err_has 'at most 72.0 KiB on disk'
run 0 rm -y fs/merged/f
out_has '1 file removed, at most 72.0 KiB freed on disk'
[ -e fs/lower/f ] || fail 'it is gone below'
# Elsewhere it is just that.
mkdir d
fill 72 b >d/f
cp d/f d/g
scan d
run 0 rm -y d/f
out_lacks 'at most'
