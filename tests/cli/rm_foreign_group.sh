# SPDX-License-Identifier: MIT
# What undo could not give back is not removed: a file of an ordinary user with a group that the user is not in.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can give a file to another group'
need setpriv
mkdir a b
echo mine >a/f
cp a/f b/
echo own >a/g
cp a/g b/
ordinary
chown 65534:4242 a/f
scan .
# A dry run and a script promise no more than that.
run 1 rm -n --in b a/f a/g
out_has 'undo could not restore its owner and group'
out_has 'would remove 1 file'
run 1 rm -n --json --in b a/f
out_has '"planned":0'
run 1 rmsh --in b a/f a/g
err_has 'is to remove 1 file,'
run 1 rm -y --in b a/f a/g
out_has 'undo could not restore its owner and group'
[ -f a/f ] && [ ! -e a/g ] || fail 'not these'
run 1 link -n --hard --any-attributes --in b a/f
out_has 'undo could not restore its owner and group'
run 1 link -y --hard --any-attributes --in b a/f
out_has 'undo could not restore its owner and group'
run 0 undo
[ "$(cat a/g)" = own ] || fail 'g is not back'
# Moved to the trash it is moved back.
need_linux renames that replace nothing
run 0 rm -y --trash --in b a/f
run 0 undo
[ "$(stat -c %g a/f)" = 4242 ] || fail 'it has another group'
