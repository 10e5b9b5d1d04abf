# SPDX-License-Identifier: MIT
# The shell runs nothing and writes nothing in a directory whose file system is not mounted, or that may not be entered.
. "$srcdir/tests/cli/lib.sh"

mkdir -p closed/in
printf x >closed/in/file
scan closed
ordinary
chmod 0 closed/in
printf '%s\n' 'cd closed/in' '!touch ran' 'pwd | tee ran' 'pwd > ran' 'pwd' >script
run 2 shell -k -f script
[ "$(grep -c "closed/in' cannot be entered, nothing was run: Permission denied" "$T/err")" -eq 3 ] || fail 'a closed directory is entered'
chmod 755 closed/in
[ "$(ls closed/in)" = file ] || fail 'something was written there'
as=

[ "$(id -u)" = 0 ] || skip 'only root can mount'
mkdir -p mnt
mount -t tmpfs one mnt 2>/dev/null || skip 'cannot mount here'
trap 'umount "$T/work/mnt" 2>/dev/null; cleanup' EXIT
mkdir mnt/d
printf x >mnt/d/file
scan mnt
umount mnt
mkdir mnt/d
printf 'other' >mnt/d/other
printf '%s\n' 'cd mnt/d' '!rm other' 'ls | rm other' 'pwd > ran' '!rm other' >script
run 2 shell -k -f script
[ "$(grep -c "mnt/d' is offline, nothing was run" "$T/err")" -eq 4 ] || fail 'another file system is taken for that of the index'
[ "$(ls mnt/d)" = other ] || fail 'a program ran on another file system'
