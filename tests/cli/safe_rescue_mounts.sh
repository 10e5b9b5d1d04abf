# SPDX-License-Identifier: MIT
# safe --rescue to other disks: one that is full, one that lies in DIR by another mount, one that keeps no attributes; blocks are shared where they can be.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir -p old/d small
head -c 300000 /dev/urandom >old/big
printf 'little' >old/d/little
ln old/big old/d/link
scan old
mount -t tmpfs -o size=256k twindex-test small 2>/dev/null || skip 'cannot mount here'
# Nothing is copied where not all has room; one that fits is.
run 6 safe old --rescue small/keep --yes
err_has "'$T/work/small/keep' has no room: the files need "
err_has 'nothing is copied'
[ -z "$(ls -A small)" ] || fail "$(ls -A small)"
run 6 safe old --rescue small -n --json
out_has '"error":'
run 0 safe old/d/little --rescue small --yes
says small/little little || fail 'not copied'
# What others write meanwhile fills it: what has room is there, and whole.
mount -o remount,size=400k small
if command -v strace >/dev/null && is_linux; then
	hold fdatasync 1 safe old --rescue small/keep --yes
	head -c 200000 /dev/zero >small/others
	resume 3
	err_has 'No space left on device'
	[ -z "$(find small/keep -name '.*')" ] && [ ! -e small/keep/big ] && [ ! -e small/keep/d/link ] && says small/keep/d/little little ||
		fail "$(find small/keep)"
	rm small/others
	run 0 safe old --rescue small/keep --yes
	cmp old/big small/keep/big && [ small/keep/d/link -ef small/keep/big ] || fail "$(ls -lR small)"
	run 0 undo
	[ ! -e small/keep/big ] && says small/keep/d/little little || fail "$(find small)"
fi
# DIR, or a directory in it, by another mount; POSIX has no list of these.
mkdir there
for shown in $(! is_linux || echo old old/d .); do
	mount --bind $shown there || skip 'no bind mounts'
	to=there
	[ $shown != . ] || to=there/old/d
	run 2 safe old --rescue $to --yes
	err_has "'$to' is a part of 'old' seen through another mount"
	run 2 safe old --rescue $to/new --yes
	umount there
done
# The file itself is no copy of it, though its bytes are equal.
mkdir keep
: >keep/big
mount --bind old/big keep/big
run 3 safe old --rescue keep --yes
err_has "'$T/work/old/big' is not copied: the name of its copy leads to the file itself"
umount keep/big
rm -r keep
# A disk that knows neither owners, links nor attributes gets the contents; what people set is told.
if (exfat_disk there) >/dev/null 2>&1; then
	if is_linux && setfattr -n user.note -v x old/d/little 2>/dev/null; then
		run 3 safe old --rescue there/keep --yes
		err_has "'$T/work/old/d/little' is copied without user.note"
		setfattr -x user.note old/d/little
	else
		run 0 safe old --rescue there/keep --yes
	fi
	cmp old/big there/keep/big && cmp old/big there/keep/d/link && cmp old/d/little there/keep/d/little || fail "$(ls -lR there)"
	[ -z "$(find there -name '.twindex*')" ] || fail "$(find there)"
	run 0 safe old --rescue there/keep --yes
	run 0 undo
	[ ! -e there/keep ] || fail "$(find there)"
	umount there
fi
# A server of files, which tells neither links nor times of change.
mkdir served there-too
if (mount_ssh served there-too -o dir_cache=no) >/dev/null 2>&1; then
	run 0 safe old --rescue there-too/keep --yes
	diff -r old served/keep || fail 'not copied to the server'
	run 0 safe old --rescue there-too/keep --yes
	out_has 'copied 0 files'
	run 0 undo 3
	released served
	[ -z "$(find served -type f)" ] || fail "$(find served)"
	[ "$(find old -type f | wc -l)" = 3 ] || fail "$(find old)"
	umount there-too
fi
# Blocks are shared, and take no room.
if (reflink_disk) >/dev/null 2>&1; then
	mkdir fs/old
	head -c 17000000 /dev/urandom >random
	cat random random random random random random random random random random >fs/old/big
	scan fs
	run 0 safe fs/old --rescue fs/keep --yes
	cmp fs/old/big fs/keep/big || fail 'another content'
	run 0 undo
	[ ! -e fs/keep ] || fail "$(find fs)"
fi
