# SPDX-License-Identifier: MIT
# A disk that is mounted elsewhere keeps rows, marks and hashes: a scan finds it where it is now.  Until then
# questions about its files say where the index has them, and never that they were not scanned.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux ids of file systems, and what is mounted

own_mounts
mkdir -p m/a m/b m/c here
disk disk1 m/a
disk disk2 m/b
mkdir m/a/photos m/b/p
printf 'same' >m/a/photos/x
printf 'same' >m/a/photos/y
printf 'lone' >m/a/photos/z
printf 'same' >m/b/p/x
printf 'same' >here/s
scan --exclude nothing m/a/photos
scan m/b here
run 0 mark drop m/a/photos/x m/b/p/x
run 0 mark keep m/a/photos/z
umount m/a
mount -o loop disk1 m/c
# Before a scan.
there="in the index as '$T/work/m/a/photos"
run 0 ls m/c
out_has "m/c/photos ($there', where it was before: scan '$T/work/m/c/photos')"
run 0 ls m/c/photos
out_has "m/c/photos/z ($there/z'"
run 0 file m/c/photos/x
out_has "x ($there/x'"
run 1 file m/c/photos/z
out_has "z ($there/z'"
for command in dups uniques; do
	run 3 $command m/c/photos
	err_has 'not judged: 3 in the index where they were before (scan again)'
	err_lacks 'never'
done
for command in du report 'contained here'; do
	# shellcheck disable=SC2086
	run 2 $command m/c/photos
	err_has "'$T/work/m/c/photos' is $there', where it was before: scan"
done
# Nothing is moved by a dry run.
run 0 scan -n
run 0 marks
out_has "m/a/photos/x (offline)"
marks()
{
	run 0 marks -c "$T/work/"
	sed -n 's/^ *\([a-z]*\)  *4 B  /\1 /p' "$T/out" >"$T/marks"
	tr ' \n' '=,' <"$T/marks"
}
# found MARKS: a scan of everything finds it where it is now, reads nothing, and these are the marks.
found()
{
	scan
	out_line 'index       0 new, 0 changed, 0 gone, 5 unchanged'
	out_line 'read        0 files, 0 B'
	[ "$(marks)" = "$1" ] || fail "$(cat "$T/marks")"
}
# A scan of everything finds it; what undo takes back has followed.
found 'drop=m/b/p/x,drop=m/c/photos/x,keep=m/c/photos/z,'
rows "SELECT path FROM root_view WHERE path LIKE '%photos'"
out_line "$T/work/m/c/photos"
run 0 mark undo
[ "$(marks)" = 'drop=m/b/p/x,drop=m/c/photos/x,' ] || fail "$(cat "$T/marks")"
run 0 mark redo
# Two that change places.
umount m/c m/b
mkdir m/a/photos
mount -o loop disk2 m/c
mount -o loop disk1 m/b
found 'drop=m/b/photos/x,keep=m/b/photos/z,drop=m/c/p/x,'
scan
[ "$(marks)" = 'drop=m/b/photos/x,keep=m/b/photos/z,drop=m/c/p/x,' ] || fail "$(cat "$T/marks")"
run 0 check
umount m/b m/c
mount -o loop disk1 m/b
mount -o loop disk2 m/c
scan m/b
rows "SELECT path FROM root_view ORDER BY path"
out <<END
$T/work/here
$T/work/m/b
$T/work/m/b/photos
$T/work/m/c
END
umount m/b m/c
mount -o loop disk2 m/b
mount -o loop disk1 m/c
found 'drop=m/b/p/x,drop=m/c/photos/x,keep=m/c/photos/z,'
umount m/b m/c
mount -o loop disk1 m/b
mount -o loop disk2 m/c
scan
out_line 'read        0 files, 0 B'
# A disk that was formatted anew is another one: what the old one had is offline.
umount m/c
mkfs.ext4 -q -F disk2
mount -o loop disk2 m/c
printf 'new' >m/c/new
run 3 scan --racy-window 0s
err_has "another volume is mounted here"
run 0 ls m/c -c "$T/work/"
out_has 'm/c/p/x'
