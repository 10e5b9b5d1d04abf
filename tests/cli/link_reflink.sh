# SPDX-License-Identifier: MIT
# ACT-14: link --reflink lets the kernel share equal blocks: inode, owner and times stay, and what is told to be freed goes.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

reflink_disk
mkdir e
seq -f %099.0f 20000 >fs/copy
printf 'tail' >>fs/copy
cp --reflink=never fs/copy fs/1
cp --reflink=never fs/copy fs/2
chmod 600 fs/1
touch -d 2001-01-01 fs/1
sync -f fs
scan fs
free() { sync -f fs; df -B1 --output=avail fs | tail -n 1; }
before=$(stat -c '%i %u %a %h %s %y' fs/1)
bytes=$(free)
need_linux shared blocks
run 0 link --reflink fs/1 --yes
out_has "reflinked: $T/work/fs/1"
out_has '1 file reflinked, 1.9 MiB freed on disk'
[ "$(stat -c '%i %u %a %h %s %y' fs/1)" = "$before" ] || fail "$before became $(stat -c '%i %u %a %h %s %y' fs/1)"
cmp fs/1 fs/copy || fail 'other bytes'
[ $(($(free) - bytes)) -ge 1900000 ] || fail 'nothing was freed'
# Nothing goes a second time.
run 0 link --reflink fs/1 --yes
out_has '1 file reflinked, 0 B freed on disk'
run 0 check
run 0 scan -n fs
out_has '0 new, 0 changed, 0 gone, 3 unchanged'
# The copy that stays may be on another volume: that is told, and no other kind of link is made.
cp fs/copy e/elsewhere
scan e
run 1 link --reflink e/elsewhere --yes
out_has "stays: $T/work/e/elsewhere (it is on another volume than '$T/work/fs/"
[ ! -L e/elsewhere ] && [ "$(stat -c %h e/elsewhere)" = 1 ] || fail 'another kind of link'
run 1 link --hard e/elsewhere --yes
out_has "(it is on another volume than '$T/work/fs/"
run 0 link --soft --any-attributes e/elsewhere --yes
cmp e/elsewhere fs/copy || fail 'other bytes'
# A file system without shared blocks.
printf 'x%01000d' 0 >e/1
cp e/1 e/2
mkdir ram
mount -t tmpfs none ram || skip 'no tmpfs here'
cp e/1 ram/1
cp e/1 ram/2
scan ram
run 3 link --reflink ram/1 --yes
err_has "the file system of '$T/work/ram' shares no blocks: 1 file stays"
