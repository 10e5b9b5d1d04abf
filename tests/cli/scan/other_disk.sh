# SPDX-License-Identifier: MIT
# Another disk at the place of one that the index knows, with some of its names, wipes nothing: what the index has
# stays, as offline, until it is told to drop it.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux ids of file systems, and what is mounted

own_mounts
mkdir r
# What a disk hides is kept where the file system below has an id of its own, too.
disk below r
mkdir r/card
for disk in one two; do
	disk $disk r/card
	mkdir r/card/DCIM
	printf 'same' >r/card/DCIM/$disk
	printf '%s' $disk >r/card/name
	umount r/card
done
printf 'same' >r/here

for root in r r/card; do
	rm -f "$TWINDEX_DB"*
	mount -o loop one r/card
	scan r
	[ $root = r ] || scan --hidden r/card
	umount r/card
	mount -o loop two r/card
	for args in $root '' --rehash; do
		# shellcheck disable=SC2086
		run 3 scan --racy-window 0s $args
		err_has "'$T/work/r/card': another volume is mounted here"
		out_has ', 0 gone,'
	done
	rows "SELECT path FROM file_view WHERE path LIKE '%/card/%' ORDER BY path"
	out <<END
$T/work/r/card/DCIM/one
$T/work/r/card/name
END
	run 1 file r/here
	out_has '(offline)'
	# The first again: as if nothing had been.
	umount r/card
	mount -o loop one r/card
	scan
	out_line 'read        0 files, 0 B'
	out_line 'index       0 new, 0 changed, 0 gone, 3 unchanged'
	umount r/card
	mount -o loop two r/card
	scan --force-purge
	rows "SELECT path FROM file_view WHERE path LIKE '%/card/%' ORDER BY path"
	out <<END
$T/work/r/card/DCIM/two
$T/work/r/card/name
END
	scan
	run 0 check
	umount r/card
done

# A disk that is mounted over a directory hides its files, which are not gone.
rm -f "$TWINDEX_DB"*
printf 'below' >r/card/below
scan r
mount -o loop two r/card
run 3 scan --racy-window 0s r
out_line 'index       0 new, 0 changed, 0 gone, 1 unchanged'
