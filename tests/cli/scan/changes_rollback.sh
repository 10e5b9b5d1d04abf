# SPDX-License-Identifier: MIT
# A disk that was put back to an earlier state, and has seen more changes since than were undone, is looked at as a whole:
# its file system alone does not tell that changes are undone.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need_linux ioctls of file systems

# Each change has a transaction of its own.
changes()
{
	n=0
	while [ $n -lt "$1" ]; do
		n=$((n + 1))
		echo $n >m/other/busy
		sync -f m
	done
}

rollback()
{
	mkdir m/r m/other
	for f in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		mkdir m/r/$f
		echo $f >m/r/$f/f
	done
	sleep 1.2
	changes 2
	umount m
	cp --sparse=always disk earlier
	mount -o loop disk m || fail 'cannot mount'
	printf 'X\n' >m/r/5/f
	rm m/r/6/f
	echo new >m/r/7/new
	changes 3
	sleep 1.2
	scan m
	scan m
	out_has 'looked at'
	umount m
	cp --sparse=always earlier disk
	mount -o loop disk m || fail 'cannot mount again'
	changes 20
	scan m
	out_line 'index       1 new, 2 changed, 1 gone, .* unchanged'
	# From here on it is a disk as any other.
	changes 2
	sleep 1.2
	scan m
	changes 2
	scan m
	out_has 'looked at'
	out_line 'index       0 new, 1 changed, 0 gone, .* unchanged'
}
each_reflink_disk rollback
