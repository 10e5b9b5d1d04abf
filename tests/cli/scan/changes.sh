# SPDX-License-Identifier: MIT
# As root, on btrfs (and, by changes_xfs.sh, on xfs), a scan asks the file system what changed, and looks at nothing else.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
reflink_disks=${reflink_disks:-btrfs}

own_mounts
need_linux ioctls of file systems
need "$PYTHON"
[ -n "$SQLITE3" ] || skip 'no sqlite3'
archives=no
! "$TWINDEX" version | grep -q '^libarchive [0-9]' || ! command -v bsdtar >/dev/null || archives=yes

# Changes must not lie in the second before a scan: xfs keeps no number of them.
second() { [ $fs = btrfs ] || sleep 1.05; }
settle() { second; run 0 scan --racy-window 0s; }
# expect DIRS LINE: a scan looks at not more than so many directories, and says LINE.  On xfs neighbours count, too:
# of a small tree any change may concern all.
expect()
{
	[ $fs = btrfs ] || set -- $(($1 == 1 ? 1 : 29)) "$2"
	run 0 scan --racy-window 0s
	out_line "$2"
	looked=$(sed -n 's/^looked at .* in \([0-9]*\) director.*/\1/p' "$T/out")
	[ "${looked:-999}" -le "$1" ] || fail "$fs: looked at ${looked:-all} directories, not $1"
	run 0 scan -n --no-changes --racy-window 0s
	out_line 'index       0 new, 0 changed, 0 gone, .*'
	run 0 check
}

cases()
{
	rm -f "$TWINDEX_DB"*
	mkdir -p m/r m/other
	for d in 1 2 3 4 5 6 7 8 9; do
		mkdir -p m/r/$d/in m/r/$d/more
		for f in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			printf '%s\n' "$d $f" >m/r/$d/in/$f
		done
	done
	run 0 scan --racy-window 0s m/r
	settle
	expect 1 'index       0 new, 0 changed, 0 gone, 180 unchanged'

	# A file that is written to in its place, with its time put back; a store through mmap.
	touch -r m/r/3/in/5 "$T/then"
	printf 'X' | dd of=m/r/3/in/5 conv=notrunc status=none
	touch -r "$T/then" m/r/3/in/5
	"$PYTHON" -S -c 'import mmap, os
with open("m/r/7/in/9", "r+b") as f, mmap.mmap(f.fileno(), 0) as m: m[0] = 89' || fail 'no mmap'
	expect 6 'index       0 new, 2 changed, 0 gone, 178 unchanged'

	# Renamed there and back, with something new in it; a link from outside; a file that is gone.
	settle
	mv m/r/1/in m/r/1/away
	printf 'new' >m/r/1/away/new
	mv m/r/1/away m/r/1/in
	printf 'linked' >m/other/f
	ln m/other/f m/r/2/in/link
	rm m/r/4/in/1
	expect 12 'index       2 new, 0 changed, 1 gone, 179 unchanged'
	# Outside of the root, by the other name.
	settle
	printf 'LINKED' >m/other/f
	expect 4 'index       0 new, 1 changed, 0 gone, 180 unchanged'

	# A directory that moved takes its rows along; one that is gone loses them.
	settle
	mv m/r/5 m/r/6/five
	rm -r m/r/8
	expect 12 'index       0 new, 0 changed, 20 gone, .* unchanged'

	# A disk over a directory, and its end; a directory over another one, and its end.  Mounts are no changes of the disk: no
	# second need pass.
	run 0 scan --racy-window 0s
	mount -t tmpfs none m/r/9/in
	printf 'over' >m/r/9/in/over
	for again in once twice; do
		run 3 scan --racy-window 0s
		err_has "m/r/9/in': another volume is mounted here: the files of the former one stay"
		out_line 'index       0 new, 0 changed, 0 gone, .*'
	done
	umount m/r/9/in
	run 0 scan --racy-window 0s
	out_line 'index       0 new, 0 changed, 0 gone, .* unchanged'
	# It was asked for, and its end is like that of any disk.
	mount -t tmpfs none m/r/9/in
	printf 'over' >m/r/9/in/over
	run 0 scan --racy-window 0s --force-purge
	out_line 'index       1 new, 0 changed, 20 gone, .* unchanged'
	umount m/r/9/in
	run 3 scan --racy-window 0s
	err_has "m/r/9/in': another volume is mounted here: the files of the former one stay"
	run 3 scan --racy-window 0s
	err_has "m/r/9/in': another volume is mounted here: the files of the former one stay"
	run 0 scan --racy-window 0s --force-purge
	out_line 'index       20 new, 0 changed, 1 gone, .* unchanged'
	expect 999 'index       0 new, 0 changed, 0 gone, .* unchanged'
	run 0 scan --racy-window 0s
	mount --bind m/r/1/in m/r/2/more
	run 0 scan --racy-window 0s
	out_line 'skipped     1 reached by another path'
	umount m/r/2/more
	expect 12 'index       0 new, 0 changed, 0 gone, .* unchanged'

	# Over a new mount of the disk, and by another name of it.
	settle
	umount m
	mount -o loop disk m || fail 'cannot mount again'
	printf 'after' >m/r/1/in/after
	expect 6 'index       1 new, 0 changed, 0 gone, .* unchanged'

	# What is forgotten comes back, though the disk has not changed.
	settle
	run 0 forget m/r/1
	run 0 scan --racy-window 0s
	out_line 'index       22 new, 0 changed, 0 gone, .* unchanged'
	# Other options of a root hold for all of it.
	run 0 scan --racy-window 0s
	run 0 scan --racy-window 0s --exclude more --max-size 0 m/r
	out_lacks 'looked at'
	run 0 scan --racy-window 0s --hidden m/r
	settle

	# A root that was scanned last has its own picture.
	run 0 scan --racy-window 0s m/other
	second
	printf 'later' >m/r/1/in/later
	second
	run 0 scan --racy-window 0s m/other
	run 0 scan --racy-window 0s
	out_line 'index       1 new, 0 changed, 0 gone, .* unchanged'

	# The files of a root that is away do not count as met.
	second
	run 0 scan --racy-window 0s
	out_line "files       $("$SQLITE3" "$TWINDEX_DB" 'SELECT count(*) FROM file') in .*"
	mv m/other m/away
	run 3 scan --racy-window 0s
	err_has 'this root is missing'
	out_has 'looked at'
	out_lacks "files       $("$SQLITE3" "$TWINDEX_DB" 'SELECT count(*) FROM file') in"
	mv m/away m/other
	run 0 scan --racy-window 0s

	# A file that only a new member of an archive asks for is read wherever it lies.
	if [ $archives = yes ]; then
		mkdir -p m/r/lonely/in && echo 'of a size that no other file has' >m/r/lonely/in/f
		run 0 scan --racy-window 0s --archives m/r
		run 0 scan --racy-window 0s m/other
		for i in 1 2; do
			echo $i >m/other/busy
			sync -f m
			settle
		done
		echo 'of a size that no other file has' >m/other/lonely
		bsdtar -cf m/r/2/a.tar -C m/other lonely
		rm m/other/lonely
		run 0 scan --racy-window 0s
		[ $fs != btrfs ] || out_has 'looked at'
		out_line 'archives    1 opened with 1 member.*'
		[ "$("$SQLITE3" "$TWINDEX_DB" "SELECT count(*) FROM file WHERE size = 33 AND hash IS NOT NULL")" = 1 ] || fail 'it was not read'
	fi

	# The answer to a picture of another machine, or none, is a look at everything.
	"$SQLITE3" "$TWINDEX_DB" "UPDATE meta SET value = x'00' WHERE key LIKE 'changes.%' AND key NOT LIKE '%.0'" || fail 'sqlite3'
	run 0 scan --racy-window 0s
	out_lacks 'looked at'
	run 0 forget m/other
	[ $fs != btrfs ] || subvolumes
}

# Subvolumes and snapshots are volumes of their own, and come and go.
subvolumes()
{
	need btrfs
	btrfs subvolume create m/r/sub >/dev/null || fail 'no subvolume'
	printf 'sub' >m/r/sub/f
	expect 999 'index       1 new, 0 changed, 0 gone, .* unchanged'
	settle
	printf 'SUB!' >m/r/sub/f
	expect 2 'index       0 new, 1 changed, 0 gone, .* unchanged'
	btrfs subvolume snapshot -r m/r/sub m/r/snap >/dev/null || fail 'no snapshot'
	expect 999 'index       1 new, 0 changed, 0 gone, .* unchanged'
	btrfs subvolume delete m/r/sub m/r/snap >/dev/null || fail 'not deleted'
	expect 999 'index       0 new, 0 changed, 2 gone, .* unchanged'
}
each_reflink_disk cases
