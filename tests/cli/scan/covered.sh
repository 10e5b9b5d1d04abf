# SPDX-License-Identifier: MIT
# What lay where another volume is mounted now, or in a mount point that holds other files without its mount,
# is kept; where a name is left, it is the same tree on a volume with another name.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
mkdir -p r/mnt
trap 'umount "$T/work/r/mnt" 2>/dev/null; cleanup' EXIT
# mounted NAME: a new file system of this name; the key of a tmpfs holds it.
mounted()
{
	umount r/mnt 2>/dev/null
	mount -t tmpfs "$1" r/mnt 2>/dev/null || skip 'cannot mount here'
}
fill()
{
	mkdir -p r/mnt/sub r/mnt/lost+found
	printf 'same' >r/mnt/a
	printf 'same' >r/mnt/sub/b
	printf 'alone' >r/mnt/c
}
count() { rows "SELECT count(*) FROM file_view WHERE path LIKE '%/mnt/%'"; }

# A root that is a mount point; then one that is mounted within a root.
printf 'here' >r/here
for root in r/mnt r; do
	rm -f "$TWINDEX_DB"* r/mnt/*
	mounted one
	fill
	scan $root
	count
	out <<'END'
3
END
	# Not mounted, and other files lie below.
	umount r/mnt
	printf 'same' >r/mnt/under
	mkdir -p r/mnt/below
	printf 'same' >r/mnt/below/x
	for args in $root '' --rehash; do
		# shellcheck disable=SC2086
		run 3 scan --racy-window 0s $args
		err_has "'$T/work/r/mnt': another volume is mounted here"
		err_has '--force-purge'
		count
		out <<'END'
3
END
	done
	run 0 report -v
	out_lacks '(gone)'
	out_lacks 'under'
	run 0 check

	# Something else is mounted, with the same directory that many have, and a file of the same name.
	mounted two
	mkdir r/mnt/lost+found
	printf 'other' >r/mnt/a
	run 3 scan --racy-window 0s $root
	err_has 'another volume is mounted here'
	count
	out <<'END'
3
END
	# It was asked for: what was there is dropped.
	scan --force-purge $root
	rows "SELECT name, size FROM file_view WHERE path LIKE '%/mnt/%'"
	out <<'END'
a	5
END
	# From now on it is the one that is known.
	scan $root
	# One of the old names is enough.
	mounted three
	fill
	printf 'other' >r/mnt/a
	scan $root
	count
	out <<'END'
3
END
	run 0 check
	umount r/mnt
	rm -r r/mnt/*
done

# A root that lies in another root, on the same volume when it was scanned.
rm -f "$TWINDEX_DB"*
printf 'same' >r/mnt/old
scan r
scan --hidden r/mnt
mounted four
printf 'same' >r/mnt/new
run 3 scan --racy-window 0s r
err_has 'another volume is mounted here'
rows 'SELECT name FROM file_view ORDER BY name'
out <<'END'
here
old
END
umount r/mnt
scan r
out_line 'read        0 files, 0 B'

# It is seen before directories are added that only lead to where a walk begins: the map of 16 has to grow then, and
# what it has left reads as something else (MALLOC_PERTURB_).
rm -rf r "$TWINDEX_DB"*
mkdir -p r/mnt r/d1/d2/d3/d4/d5/d6/d7/d8/d9/d10/d11/d12/d13/d14
mounted five
printf 'same' >r/mnt/old
printf 'here' >r/here
scan r
mounted six
printf 'same' >r/mnt/new
mkdir -p r/way/to
MALLOC_PERTURB_=165
export MALLOC_PERTURB_
run 3 scan --racy-window 0s r/mnt r/way/to
err_has 'another volume is mounted here'
rows "SELECT name FROM file_view WHERE path LIKE '%/mnt/%'"
out <<'END'
old
END

# POSIX does not tell what is mounted where the index has no mount point.
is_linux || exit 0
# A directory of a disk, over which something is mounted: what it hides stays, with all below it, also where the mount
# was empty at first; a second scan keeps it, too, and after the mount nothing has changed.
umount r/mnt 2>/dev/null
rm -rf "$TWINDEX_DB"* r/mnt
mkdir -p r/mnt/sub
printf 'hidden' >r/mnt/a
printf 'hidden, too' >r/mnt/sub/b
printf 'here' >r/here
scan r
for state in empty full; do
	mounted over
	[ $state = empty ] || printf 'new' >r/mnt/new
	for args in r ''; do
		# shellcheck disable=SC2086
		run 3 scan --racy-window 0s $args
		[ $state = full ] || err_has "'$T/work/r/mnt': empty now, as if not mounted"
		[ $state = empty ] || err_has "'$T/work/r/mnt': another volume is mounted here"
		out_line 'index       0 new, 0 changed, 0 gone, .*'
		count
		out <<'END'
2
END
	done
	run 0 report -v
	out_lacks '(gone)'
	run 0 check
done
umount r/mnt
run 0 scan --racy-window 0s
out_line 'index       0 new, 0 changed, 0 gone, 3 unchanged'
# One of the names is enough: the directory was moved to a disk of its own.
mounted moved
printf 'hidden' >r/mnt/a
run 0 scan --racy-window 0s
out_line 'index       0 new, 1 changed, 1 gone, 1 unchanged'
