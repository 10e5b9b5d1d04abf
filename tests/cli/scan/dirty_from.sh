# SPDX-License-Identifier: MIT
# scan --dirty-from looks at the paths of a list and below them, and takes the rest as its last scan found it.
. "$srcdir/tests/cli/lib.sh"

list() { printf '%s\0' "$@" >"$T/list"; }

mkdir -p r/a/b r/c r/deep/er
printf 'same' >r/a/b/f
printf 'same' >r/c/g
printf 'hello' >r/a/h
printf 'rest' >r/c/rest
printf 'rest' >r/deep/er/rest
scan r

# New, changed and gone files, also below what is new or gone; names that were never there are no error.
printf 'new!' >r/a/b/new
printf 'other' >r/a/b/f
rm r/c/g
mkdir -p r/x/y
printf 'deep' >r/x/y/z
# These are not in the list.
printf 'unseen' >r/c/unseen
printf 'altered' >r/c/rest
list r/a/b/new r/a/b/../b/f "$T/work/r/c/g" r/x/y/z r/never r/never/at/all
run 0 scan --racy-window 0s --dirty-from "$T/list"
out_line 'files       3 in .* directories, 13 B'
out_line 'index       2 new, 1 changed, 1 gone, 0 unchanged'
out_line 'all else    as its last scan found it'
rows 'SELECT path FROM file_view ORDER BY path'
out <<END
$T/work/r/a/b/f
$T/work/r/a/b/new
$T/work/r/a/h
$T/work/r/c/rest
$T/work/r/deep/er/rest
$T/work/r/x/y/z
END
run 0 check
run 0 info
out_line 'scan 2 .*, 3 files of a list.*'
run 0 info --json
out_has '"partial":true'
# The root is as old as its last scan of all.
rows 'SELECT scan_id FROM root_view'
out <<'END'
1
END
run 0 scan --racy-window 0s
out_line 'index       1 new, 1 changed, 0 gone, 5 unchanged'

# A directory of the list is looked at as a whole; one that is gone loses its rows, with all below.
printf 'more' >r/deep/er/more
mkdir r/deep/new
printf 'more' >r/deep/new/more
rm -r r/a
list r/deep r/a/b/f
run 0 scan --racy-window 0s --dirty-from - <"$T/list"
out_line 'index       2 new, 0 changed, 3 gone, 1 unchanged'
run 0 scan --racy-window 0s
out_line 'index       0 new, 0 changed, 0 gone, .* unchanged'

# A directory becomes a file, a file a directory, a link takes the place of each.
mkdir r/d r/e
printf 'd' >r/d/f
printf 'e' >r/e/f
printf 'f' >r/f
printf 'l' >r/l
scan
# Made before the others are removed: with the inode of one of those, a directory would have moved.
mkdir f
printf 'in f' >f/f
printf 'file' >d
rm -r r/d r/e r/f r/l
mv d f r
ln -s "$T" r/e
ln -s d r/l
list r/d/f r/e/f r/f r/l
run 0 scan --racy-window 0s --dirty-from "$T/list"
out_line 'index       2 new, 0 changed, 4 gone, 0 unchanged'
list r/d r/f/f
run 0 scan --racy-window 0s --dirty-from "$T/list"
run 0 scan --racy-window 0s
out_line 'index       0 new, 0 changed, 0 gone, .* unchanged'
run 0 check

# A directory that moved takes its rows with it, unread.
mv r/deep r/x/deep
list r/deep r/x/deep
run 0 scan --racy-window 0s --dirty-from "$T/list"
out_line 'read        0 files, 0 B'
run 0 scan --racy-window 0s
out_line 'index       0 new, 0 changed, 0 gone, .* unchanged'

# What the options of the root leave out stays left out.
mkdir o
printf 'o' >o/keep
run 0 scan --racy-window 0s --exclude '*.tmp' --no-hidden o
mkdir o/.h
printf 'o' >o/.h/x
printf 'o' >o/x.tmp
list o/.h/x o/x.tmp o/.h
run 0 scan --racy-window 0s --dirty-from "$T/list"
out_line 'index       0 new, 0 changed, 0 gone, 0 unchanged'

# Paths below no root are counted, and the others are looked at.
printf 'a' >r/x/y/late
list /nowhere r/x/y/late /
run 3 scan --racy-window 0s --dirty-from "$T/list"
err_has "'/nowhere': lies below no root, as another of the list does: not looked at"
printf 'a' >r/x/y/later
list /nowhere r/x/y/later / "$T/outside"
run 3 scan --racy-window 0s --dirty-from "$T/list"
err_has "'/nowhere': lies below no root, as 2 others of the list do: not looked at"
out_line 'outside     3 paths of the list are below no root, and not looked at'
out_line 'index       1 new, 0 changed, 0 gone, 0 unchanged'
run 3 scan --dirty-from "$T/list" --json
out_has '"outside":3'

# A link above a path is followed, its own name is not.
ln -s r/x way
printf 'b' >r/x/y/late
list way/y/late
run 0 scan --racy-window 0s --dirty-from "$T/list"
out_line 'index       0 new, 1 changed, 0 gone, 0 unchanged'

# Nothing to do is no error; a dry run changes nothing.
: >"$T/list"
run 0 scan --dirty-from "$T/list"
out_line 'files       0 in 0 directories, 0 B'
printf 'c' >>r/x/y/late
list r/x/y/late
run 0 scan -n --dirty-from "$T/list"
out_line 'index       0 new, 1 changed, 0 gone, 0 unchanged'
run 0 scan --racy-window 0s --dirty-from "$T/list"
out_line 'index       0 new, 1 changed, 0 gone, 0 unchanged'

# A root that is not there keeps its files, and is told only where the list has something in it.
mv o o.away
run 0 scan --dirty-from "$T/list"
list o/keep
run 3 scan --dirty-from "$T/list"
err_has 'this root is missing: its files stay in the index'
mv o.away o

for wrong in "r" "--rehash" "--verify" "--force-purge" "--no-hidden" "--backup r"; do
	run 2 scan --dirty-from "$T/list" $wrong
	err_has '--dirty-from'
done
run 2 scan --dirty-from "$T/nowhere"
err_has "nowhere' does not exist"

# After a scan that has not met every file, no list can tell what changed.
[ -n "$SQLITE3" ] || exit 0
"$SQLITE3" "$TWINDEX_DB" "UPDATE meta SET value = 1 WHERE key = 'pending'" || fail 'sqlite3'
run 2 scan --dirty-from "$T/list"
err_has 'a scan was cut off before it had met every file'
run 0 scan
run 0 scan --dirty-from "$T/list"
