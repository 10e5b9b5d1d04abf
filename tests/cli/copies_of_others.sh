# SPDX-License-Identifier: MIT
# Another user's file in a sticky directory may be removed by its owner: no question and no act relies on it; the user's
# own file there is a copy like others.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root may give files away'
mkdir docs pool own open
chmod 1777 pool own
for i in 1 2 3; do echo "text $i" >docs/a$i; done
cp docs/a1 pool/
cp docs/a2 own/
cp docs/a3 open/
chown 1002 pool pool/a1 open/a3
scan docs pool own open

run 0 uniques docs
out_line '.*/docs/a1'
out_lacks docs/a2
out_lacks docs/a3
run 1 contained docs/a1 pool
run 0 contained docs/a2 own
run 1 at-risk docs
out_has '1 file, 7 B at risk'
err_has '1 file has other copies only in a directory shared with other users: not counted'
run 1 redundant docs
run 1 file docs/a1
out_has 'its only other copy is in a directory shared with other users'
run 1 mark drop docs/a1
run 0 mark drop docs/a2
run 0 mark undo
run 1 rm -y docs/a1
out_has '(the last copy outside of directories shared with other users)'
run 1 rm -y -r docs
[ -f docs/a1 ] && [ ! -f docs/a2 ] && [ ! -f docs/a3 ] || fail 'not what lasts is left'

# What is shared itself has a copy that lasts longer, and copies of its own kind.
run 0 rm -n pool/a1

# The next scan knows better: it is not sticky any more; its files are the user's own, or not all of them.
chmod 755 pool
scan pool
run 0 contained docs/a1 pool
chmod 1777 pool
scan pool
run 1 contained docs/a1 pool
chown 0 pool/a1
scan pool
run 0 contained docs/a1 pool
echo more >pool/b
chown 1002 pool/b
scan pool
run 1 contained docs/a1 pool
# What is gone is known no more; a new directory has nothing of one before.
rm -r pool
run 0 forget pool
mkdir new
cp docs/a1 new/
scan new
run 0 contained docs/a1 new
