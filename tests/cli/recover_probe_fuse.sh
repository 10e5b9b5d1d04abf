# SPDX-License-Identifier: MIT
# A run that was killed while a file had a second name, on file systems of programs in user space: the second name goes, or
# becomes the file's own again where that is gone, though the program may remember it for a while.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need strace bindfs
[ -e /dev/fuse ] || skip 'no FUSE here'
own_mounts
mkdir real real/a real/b fuse
printf 'twice' >real/a/f
cp real/a/f real/b/f
touch -d 2001-02-03 real/b/f

# probed: rm is killed while a/f has a second name.
probed()
{
	scan fuse
	injected unlinkat unlinkat:signal=SIGKILL:when=1 -q rm -y fuse/a/f || skip 'no strace that can kill'
	[ "$(ls -A real/a | grep -c '^\.twindex-probe-')" = 1 ] && [ -e real/a/f ] || fail "no second name: $(ls -A real/a)"
}

# Each name has a number of its own.
mount_ssh real fuse -o dir_cache=no
probed
run 1 recover -n
out_has 'second name'
run 0 recover
out_has 'second name removed'
released real
[ "$(ls -A real/a)" = f ] && [ "$(cat real/a/f)" = twice ] || fail "left: $(ls -A real/a)"
probed
rm real/a/f
printf 'newer' >real/a/f
run 3 recover
err_has "another file has its name now: '$T/work/fuse/a/f'"
[ "$(cat real/a/f)" = newer ] && [ "$(cat real/a/.twindex-probe-*)" = twice ] || fail "left: $(ls -A real/a)"
umount fuse
rm -f real/a/.twindex-probe-* real/a/f

# The program remembers the name for a minute.
need_linux looks past what a file system remembers
printf 'twice' >real/a/f
bindfs -o attr_timeout=60,entry_timeout=60 real fuse || skip 'no FUSE here'
probed
ls -l fuse/a >"$T/out"
rm real/a/f
run 0 recover
released real
[ "$(ls -A real/a)" = f ] && [ "$(cat real/a/f)" = twice ] || fail "left: $(ls -A real/a)"
umount fuse
