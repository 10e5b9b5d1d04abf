# SPDX-License-Identifier: MIT
# On a file system without links and without renames that replace nothing, names are given back: by rm that gives way, undo
# and recover.  So the trash can be used there, and where it can't, none is left.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need strace
own_mounts
mkdir m
exfat_disk m
mkdir m/Photos m/A m/B
for i in 1 2 3; do
	echo "content $i" >m/Photos/f$i
	echo "copied $i" >m/A/g$i
	cp m/A/g$i m/B/
done
# Two cases of a name have two numbers: the copy is gone with the file, which gets its name back.
scan m/Photos m/photos m/A m/B
run 3 rm -ry m/Photos
released m
[ "$(ls -A m/Photos | tr '\n' ' ')" = 'f1 f2 f3 ' ] || fail "names are lost: $(ls -A m/Photos)"
run 0 recover
# A true copy.
run 0 rm -ry --in m/B m/A
released m
[ -z "$(ls -A m/A)" ] || fail "left: $(ls -A m/A)"
run 0 undo
for i in 1 2 3; do
	[ "$(cat m/A/g$i)" = "copied $i" ] || fail "g$i is not back"
done
# The same by way of the trash; first where its rename fails.
run 0 scan -q --racy-window 0s m/A m/B
injected renameat renameat:error=EIO rm -ry --trash --in m/B m/A || skip 'no strace that injects errors'
err_has 'stays: cannot be renamed: Input/output error'
released m
[ "$(ls -A m | tr '\n' ' ')" = 'A B Photos ' ] || fail "left: $(ls -A m)"
run 0 rm -ry --trash --in m/B m/A
released m
[ -z "$(ls -A m/A)" ] && [ "$(cat m/.Trash-0/files/g2)" = 'copied 2' ] || fail "left: $(ls -AR m)"
run 0 undo
released m
[ "$(ls -A m/A | tr '\n' ' ')" = 'g1 g2 g3 ' ] && [ -z "$(ls -A m/.Trash-0/files m/.Trash-0/info | grep -v :)" ] || fail "left: $(ls -AR m)"
# What a killed run has left.
run 0 scan -q --racy-window 0s m/A m/B
injected unlinkat unlinkat:signal=SIGKILL:when=1 rm -y --in m/B m/A/g1 || skip 'no strace that can kill'
released m
[ "$(ls -A m/A | grep -c '^\.twindex-rm-')" = 1 ] || fail "not between two names: $(ls -A m/A)"
run 0 recover
released m
[ "$(cat m/A/g1)" = 'copied 1' ] && [ "$(ls -A m/A | tr '\n' ' ')" = 'g1 g2 g3 ' ] || fail "left: $(ls -A m/A)"
