# SPDX-License-Identifier: MIT
# What a program or another machine serves below a root is not entered unless somebody asks for it: it is named, counted,
# and questions about it are not judged.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need bindfs
need_linux file systems by type
own_mounts
mkdir -p far/sub near/cloud
printf 'a film' >far/film
cp far/film far/sub/again
cp far/film near/film
bindfs "$T/work/far" near/cloud 2>/dev/null || skip 'no bindfs here'

run 0 scan --racy-window 0s near
out_line 'files       1 in 1 directory, 6 B'
out_line 'skipped     1 network or FUSE mount'
says "$T/err" "twindex: '$T/work/near/cloud': a network or FUSE mount, not entered: name it as a root, or give --network" || fail "$(cat "$T/err")"
run 0 ls near
out_has "skipped  $T/work/near/cloud (on a network or FUSE mount that was not named)"
run 3 uniques near
err_has 'not judged: 1 directory on a network or FUSE mount that was not named'
run 3 uniques near/cloud
run 3 at-risk near
run 0 ls near/cloud
out_has "skipped  $T/work/near/cloud/film (on a network or FUSE mount that was not named)"

# Once more: it does not become a part of the root by and by.
run 0 scan -q
err_lacks ' '
run 0 info
out_has 'files       1 in 1 directory'

# What lies on it and is named becomes a root of its own, though it lies below another one.
run 0 scan near/cloud/sub
run 0 info
out_line "root        $T/work/near/cloud/sub"
run 0 scan
out_line 'files       2 in 2 directories, 12 B'
out_line 'skipped     1 network or FUSE mount'

# The mount itself, named: entered from now on, also on the way through the root above.
run 0 scan near/cloud
run 0 scan near
out_line 'files       3 in 3 directories, 18 B'
err_lacks ' '

# The option holds for all mounts below its root and is stored with it.
rm "$TWINDEX_DB"
run 0 scan --network near
out_line 'files       3 in 3 directories, 18 B'
run 0 info
out_line "root        $T/work/near  (--network)"
run 0 scan near
out_line 'index       0 new, 0 changed, 0 gone, 3 unchanged'

# A disk of this machine behind a program in user space is a disk.
umount near/cloud
if command -v mount.exfat-fuse >/dev/null && command -v mkfs.exfat >/dev/null; then
	truncate -s 4M disk
	mkfs.exfat disk >/dev/null 2>&1 && loop=$(losetup -f --show disk 2>/dev/null) || skip 'no loop devices here'
	mount.exfat-fuse "$loop" near/cloud >/dev/null 2>&1 || {
		losetup -d "$loop"
		skip 'cannot mount here'
	}
	cp far/film near/cloud/film
	rm "$TWINDEX_DB"
	"$TWINDEX" scan near >"$T/out" 2>"$T/err"
	umount near/cloud
	losetup -d "$loop"
	out_line 'files       2 in 2 directories, 12 B'
fi

# Consent that is taken back: what the index forgets by it is told, but not what only lies hidden below a mount.
mkdir -p near/cloud/sub
rm "$TWINDEX_DB"
printf 'local' >near/cloud/sub/local
run 0 scan --racy-window 0s near
bindfs -o nonempty "$T/work/far" near/cloud
run 0 scan near
err_has "'$T/work/near/cloud': a network or FUSE mount, not entered; 1 file stays in the index from before it was mounted: name it"
out_line 'index       0 new, 0 changed, 0 gone, 1 unchanged'
run 0 scan near
run 0 where local
out_has near/cloud/sub/local
umount near/cloud
run 0 scan near
out_line 'index       0 new, 0 changed, 0 gone, 2 unchanged'
bindfs -o nonempty "$T/work/far" near/cloud
run 0 scan --network near
run 0 scan --hidden near
err_has "'$T/work/near/cloud': a network or FUSE mount, not entered, so that the index forgets 2 files there: name it as a root, or give --network"
out_has ', 2 gone,'
run 0 check
# A refresh, and reading again, are about what the index has: it has nothing there.
run 0 refresh near
err_lacks cloud
run 0 validate near
out_lacks cloud
umount near/cloud

# Nor does a list of paths lead into one.
bindfs -o nonempty "$T/work/far" near/cloud
printf '%s\0' "$T/work/near/cloud/film" "$T/work/near/cloud/sub" >list
run 0 scan --dirty-from list
out_line 'skipped     1 network or FUSE mount'
run 0 where film
out_lacks cloud
umount near/cloud
