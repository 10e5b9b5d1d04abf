# SPDX-License-Identifier: MIT
# Copies that are the same blocks of the disk are lost together: at-risk tells so, and with --reflinks does not count them.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

reflinks()
{
	mkdir m/a m/b
	for i in 1 2 3; do fill 400 $i >m/a/$i; done
	for i in 1 2; do cp --reflink=always m/a/$i m/b/; done
	# One more that shares nothing, and one that has shared a part.
	cp --reflink=never m/a/2 m/b/apart
	cp --reflink=never m/a/3 m/b/3
	fill 400 4 >m/a/4
	cp --reflink=always m/a/4 m/b/4
	fill 4 4 | dd of=m/b/4 bs=4k seek=3 conv=notrunc 2>/dev/null
	sync -f m
	scan m
	run 0 at-risk m/a
	err_has 'some copies share their blocks on the disk, and would be lost together: --reflinks does not count them'
	run 1 at-risk --reflinks -0 m/a
	[ "$(tr '\0' ' ' <"$T/out")" = "$T/work/m/a/1 " ] || fail "not m/a/1: $(cat "$T/out")"
	run 1 at-risk --reflinks
	out_has '2 files, 800.0 KiB at risk.'
	err_lacks 'same blocks'
	run 1 at-risk --one-volume
	err_lacks 'same blocks'
	# A link, and a copy in a trash, are no other copies; one on another disk is.
	ln m/a/1 m/link
	mkdir -p m/.Trash-0/files other
	cp --reflink=never m/a/1 m/.Trash-0/files/
	sync -f m
	scan m
	run 1 at-risk --reflinks m
	out_has '3 files, 800.0 KiB at risk.'
	cp m/a/1 other/
	scan other
	run 0 at-risk --reflinks
	run 0 at-risk
	err_lacks 'same blocks'
}
each_reflink_disk reflinks
