# SPDX-License-Identifier: MIT
# A server of files by ssh gives each name a number of its own, and tells neither links nor times of change: copies there go,
# for the one that stays is still at its path when they have left theirs; a file that is the copy itself stays; no hard link
# is made that could not be told from a copy.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need strace
own_mounts
mkdir -p d/a d/b m
# sshfs keeps what it has listed for 20 seconds.
mount_ssh d m -o dir_cache=no
printf 'twice' >d/a/f
cp d/a/f d/b/f
run 0 scan -q --racy-window 0s m
run 1 link --hard -y m/a/f
out_has "stays: $T/work/m/a/f (its file system gives every hard link an inode number of its own"
run 3 link --soft -y m/a/f
released d
[ "$(ls -A d/a)" = f ] && [ "$(cat d/a/f)" = twice ] || fail "left: $(ls -AR d)"
run 0 scan -q --racy-window 0s m
# A snapshot of btrfs, say, though mounted for writing.
injected linkat linkat:error=EROFS rm -y m/a/f || skip 'no strace that injects errors'
err_has 'stays: cannot be changed: Read-only file system'
run 0 rm -y m/a/f
released d
[ "$(ls -A d/a)" = '' ] && [ "$(cat d/b/f)" = twice ] || fail "left: $(ls -AR d)"
run 0 undo
released d
[ "$(ls -A d/a d/b | tr '\n' ' ')" = 'd/a: f  d/b: f ' ] && [ "$(cat d/a/f)" = twice ] || fail "left: $(ls -AR d)"
run 0 scan -q --racy-window 0s m
run 0 rm --trash -y m/a/f
released d
[ "$(ls -A d/a)" = '' ] && [ "$(cat d/b/f)" = twice ] || fail "left: $(ls -AR d)"
run 0 undo
released d
[ "$(cat d/a/f)" = twice ] || fail "left: $(ls -AR d)"
umount m

# The same file by a second way.
for options in dir_cache=no cache=yes; do
	rm -rf d/b m/.Trash* "$TWINDEX_DB"*
	ln -s a d/b
	mount_ssh d m -o follow_symlinks -o $options
	run 0 scan -q --racy-window 0s m
	for act in rm 'rm --trash' 'link --hard' 'link --soft'; do
		got=0
		# shellcheck disable=SC2086
		"$TWINDEX" $act -y m/a/f >"$T/out" 2>"$T/err" || got=$?
		released d
		[ $got -ne 0 ] && [ "$(cat d/a/f)" = twice ] && [ "$(ls -A d/a)" = f ] || {
			show_run
			fail "$act with $options: status $got, left: $(ls -AR d)"
		}
	done
	umount m
done
