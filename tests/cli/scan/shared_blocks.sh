# SPDX-License-Identifier: MIT
# Reflinked files and snapshots are read once, and only those whose blocks are all the same: one whose bytes differ,
# be they on the disk yet or not, is another file; what the disk holds in another form is read.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux shared blocks

# bytes_read MOST: the last scan read no more than that.
bytes_read()
{
	rows 'SELECT bytes_read FROM scan_view ORDER BY scan_id DESC LIMIT 1'
	[ "$(cat "$T/out")" -le "$1" ] || fail "$fs: $(cat "$T/out") bytes read, at most $1 expected"
}

check_scan()
{
	mkdir m/s
	{ fill 1500 a; fill 1500 b; } >m/s/big
	{ fill 1 x; fill 255 c; } >m/s/mid
	sync
	for i in 1 2 3 4 5; do
		if [ $fs = btrfs ] && command -v btrfs >/dev/null; then
			btrfs -q subvolume snapshot m m/s$i >/dev/null 2>&1 || cp -r --reflink=always m/s m/s$i
			[ ! -d m/s$i/s ] || { find m/s$i -mindepth 1 -maxdepth 1 ! -name s -exec rm -rf {} +; }
		else
			cp -r --reflink=always m/s m/s$i
		fi
	done
	sync
	scan m
	# Of all 19 MiB: one in 1.05, and the heads.
	bytes_read $((3256 * 1024 * 105 / 100))
	run 0 report -c "$T/work/m/"
	out_has '2 sets, 12 files'
	run 0 check

	# Copies that share all blocks but what was written since, on the disk or not yet there.
	cp --reflink=always m/s/big m/synced
	printf 'other' | dd of=m/synced bs=1 seek=2000000 conv=notrunc 2>/dev/null
	sync
	cp --reflink=always m/s/big m/dirty
	printf 'dirty' | dd of=m/dirty bs=1 seek=1000000 conv=notrunc 2>/dev/null
	# The same blocks in another order, a hole, and blocks that are allocated and not written.
	cp --reflink=always m/s/big m/hole
	fallocate -p -o 1000000 -l 200000 m/hole 2>/dev/null
	cp --reflink=always m/s/big m/zeros
	fallocate -z -o 1000000 -l 200000 m/zeros 2>/dev/null
	cp --reflink=always m/hole m/hole2
	scan m
	run 0 ls m -c "$T/work/m/" --depth 1
	out_has 'unique  synced'
	out_has 'unique  dirty'
	cmp -s m/hole m/hole2 || fail 'not the same'
	out_has 'dup  hole'
	out_has 'dup  hole2'
	run 0 scan --racy-window 0s --rehash m
	run 0 check
	out_line ok

	# A file that changes after it was asked for its blocks is read for itself.
	if [ $fs = btrfs ] && command -v strace >/dev/null; then
		fill 600 d >m/one
		cp --reflink=always m/one m/two
		cp --reflink=always m/one m/three
		sync
		for changed in two one; do
			rm -f "$TWINDEX_DB"*
			# All that memory has of them goes, and nothing else of the machine.
			for f in one two three; do dd if=m/$f iflag=nocache count=0 status=none; done
			hold_path=$T/work/m/one
			hold pread64 2 scan -q --racy-window 0s m
			printf '%s' $changed | dd of=m/$changed bs=1 seek=300000 conv=notrunc,fsync 2>/dev/null
			resume 0
			unset hold_path
			scan m
			run 0 check
			run 0 ls m -c "$T/work/m/" --depth 1
			for f in one two three; do
				state=unique
				for g in one two three; do
					[ $f = $g ] || ! cmp -s m/$f m/$g || state=dup
				done
				out_has " $state  $f"
			done
		done
	fi
}
each_reflink_disk check_scan

# What is compressed on the disk is read.
command -v mkfs.btrfs >/dev/null || exit 0
rm -f disk "$TWINDEX_DB"*
truncate -s 160M disk
mkfs.btrfs -q disk >/dev/null 2>&1 && mount -o loop,compress-force=zlib disk m 2>/dev/null || exit 0
fill 600 e >m/one
sync
cp --reflink=always m/one m/two
sync
scan m
rows 'SELECT bytes_read >= 1200 * 1024 FROM scan_view'
out_line 1
