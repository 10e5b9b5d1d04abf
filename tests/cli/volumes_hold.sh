# SPDX-License-Identifier: MIT
# volumes: what each file system holds, by name and by inode, and what it alone holds; where it is, or was.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux file systems by type

# One volume holds everything alone: hard links and copies count once in bytes, empty files not at all.
mkdir one
printf 'same' >one/a
printf 'same' >one/b
ln one/a one/link
printf 'lone file' >one/c
: >one/empty
scan one
run 0 volumes --format csv
sed -n 2p "$T/out" | tr -d '\r' >"$T/row"
grep -q ',1,[0-9]*,[0-9]*,[0-9]*,5,17,4,13,"' "$T/row" || fail "$(cat "$T/row")"
run 0 volumes
out_has '5 files, 17 B; only here: 4 files, 13 B'
run 0 volumes -0
[ "$(tr '\0' '\n' <"$T/out")" = "$T/work/one" ] || fail 'another path'
run 2 volumes one
# A root that is gone leaves nothing out of a disk that is there.
mkdir two
printf 'two' >two/f
scan two
mv two three
run 0 volumes --online
out_has '6 files, 20 B'
err_lacks 'left out'
mv three two
run 0 forget two
run 0 volumes --json
out_has '"only_files":4,"only_bytes":13,'
# A link that was made after its inode was read belongs to its content.
ln one/b one/later
scan one
run 0 volumes
out_has '6 files, 17 B; only here: 5 files, 13 B'
# What only it holds may be more.
mkdir one/shut
scan one
"$SQLITE3" "$TWINDEX_DB" "UPDATE dir SET error = 13 WHERE name = 'shut'" 2>/dev/null && {
	run 3 volumes
	out_has '6 files, 17 B; only here: 5 files, 13 B'
	err_has "unreadable $T/work/one/shut/ (it could not be read: what its disk alone holds in it is not known)"
	err_has 'not judged: 1 directory unreadable'
}
# Nothing is left of it.
run 0 forget one
run 0 volumes
out </dev/null
err_has 'the index has no files'

own_mounts
mkdir m1 m2 m3 1 2
label=$(printf 'a\033[1m"\n\377\\z')
# Each image in a memory of its own, for beside each other they would be one disk.
for disk in 1 2; do
	mount -t tmpfs none $disk || skip 'no tmpfs here'
	disk $disk/image m$disk -L "$label"
	printf 'same' >m$disk/same
	printf 'only %s' $disk >m$disk/only
	label=
done
cp m1/same m1/again
cp m2/only m1/from2
scan m1 m2
run 0 volumes --format ndjson
# The label of the first is bytes; the kernel may be too old to tell it.
grep -q '"label":null' "$T/out" || skip 'the kernel tells no labels'
! grep -q '"label":"a' "$T/out" || out_has '"label":"a\\x1b[1m\"\\n\\xff\\\\z","label_b64":"YRtbMW0iCv9ceg=="'
run 0 volumes
grep -A 1 "m1\$" "$T/out" | tail -n 1 >"$T/held"
grep -qx '         4 files, 20 B; only here: 1 file, 6 B' "$T/held" || fail "m1: $(cat "$T/held")"
grep -A 1 "m2\$" "$T/out" | tail -n 1 >"$T/held"
grep -qx '         2 files, 10 B; only here: 0 files, 0 B' "$T/held" || fail "m2: $(cat "$T/held")"
# An overlay shows the files of others: a copy there is none.
mkdir up work over
mount -t tmpfs up up && mkdir up/u up/w
if mount -t overlay over -o lowerdir=m1,upperdir=up/u,workdir=up/w over 2>/dev/null; then
	scan over
	run 0 volumes
	grep -A 1 "m1\$" "$T/out" | tail -n 1 >"$T/held"
	grep -q 'only here: 1 file, 6 B' "$T/held" || fail "m1 below an overlay: $(cat "$T/held")"
	umount over
	run 0 forget over
fi
umount up
# A copy in a trash is none of what lies outside of trashes; what lies in trashes alone is as other files.
mkdir -p m1/.Trash-0/files m2/.Trash-0/files
for d in m1 m2; do cp m1/only $d/.Trash-0/files/other; done
printf 'thrown' | tee m1/.Trash-0/files/x >m2/.Trash-0/files/y
printf 'bin' >m2/.Trash-0/files/bin
scan m1 m2
run 0 volumes
grep -A 1 "m1\$" "$T/out" | tail -n 1 >"$T/held"
grep -qx '         6 files, 32 B; only here: 2 files, 6 B' "$T/held" || fail "m1 with a trash: $(cat "$T/held")"
grep -A 1 "m2\$" "$T/out" | tail -n 1 >"$T/held"
grep -qx '         5 files, 25 B; only here: 1 file, 3 B' "$T/held" || fail "m2 with a trash: $(cat "$T/held")"
# Away: it is told where and when it was; and mounted elsewhere.
umount m2
run 0 volumes
tail -n 2 "$T/out" >"$T/last"
grep -q "^offline  ext4, .* was at $T/work/m2, seen 20..-" "$T/last" || fail "$(cat "$T/last")"
mount -o loop 2/image m3
run 0 volumes
out_has "at $T/work/m3"
out_has "the index has it at $T/work/m2: a scan of where it is now moves it"
run 0 volumes --json
out_has '"elsewhere":true,"path":"'"$T/work/m2"'"'
run 0 refresh m1
rows "SELECT place FROM volume_view WHERE place LIKE '%m3'"
out_line "$T/work/m3"
scan m3
out_line 'read        0 files, 0 B'
run 0 volumes
out_lacks 'the index has it at'
rows "SELECT label IS NULL, capacity > free, seen > 0, place FROM volume_view WHERE type = 'ext4' AND place LIKE '%m3'"
out <<END
1	1	1	$T/work/m3
END
