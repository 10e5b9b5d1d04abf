# SPDX-License-Identifier: MIT
# redundant: what could not be judged makes a directory not proven, and what is there is looked at.
. "$srcdir/tests/cli/lib.sh"

# A directory d and a copy of it, of which each step leaves something in doubt.
fresh()
{
	rm -rf keep d
	mkdir -p keep d/sub
	printf 'one' >d/1
	printf 'two' >d/sub/2
	cp d/1 d/sub/2 keep
	: >d/empty
	scan --no-hidden .
	run 0 redundant d -0
	printf '%s\0' "$T/work/d" | out
}

# unproven WHY: d is not proven, its subdirectory is.
unproven()
{
	run 3 redundant d -0
	printf '%s\0' "$T/work/d/sub" | out
	err_has "$1"
	run 3 redundant d -c "$T/work/"
	out_has "       6 B  d
            not proven: not all could be judged
            both files are also in keep
            not judged: $1"
}

fresh
printf x >d/new
unproven '1 new since the scan'
fresh
printf x >d/.hidden
unproven '1 hidden'
run 3 redundant d -v
err_has "$T/work/d/.hidden"
fresh
printf x >>d/empty
unproven '1 changed since the scan'
fresh
mkdir d/newdir
unproven '1 directory new since the scan'
# Changed: what it holds now may be nowhere else.
fresh
printf x >>d/1
run 3 redundant d -0
printf '%s\0' "$T/work/d/sub" | out
# The copy has changed, or is gone.
fresh
printf x >>keep/1
run 3 redundant d -c "$T/work/"
out_has 'not proven: not all could be judged
            1 of its 2 files is also in keep
            not all copies of 1 of its 2 files could be judged
'
err_has "copies of 1 file can't be looked at, or have changed"
err_has 'not judged: 1 changed since the scan'
run 3 redundant d -v
err_has "not judged: $T/work/keep/1 (changed)"
rm keep/1
run 1 redundant d -0
printf '%s\0' "$T/work/d/sub" | out
# What is gone is not lost.
fresh
rm d/1 keep/1
run 0 redundant d -0
printf '%s\0' "$T/work/d" | out
# All has changed, or all copies have: nothing is proven, and nothing is denied.
fresh
printf x >>d/1
printf x >>d/sub/2
printf x >>d/empty
run 3 redundant d -c "$T/work/"
out <<'END'
       0 B  d
            not proven: not all could be judged
            not judged: 3 changed since the scan
No directory can go as a whole.
END
fresh
printf x >>keep/1
printf x >>keep/2
run 3 redundant d -c "$T/work/"
out <<'END'
       6 B  d
            not proven: not all could be judged
            not all copies of both files could be judged
No directory can go as a whole.
END
# Symbolic links and special files are told, and go.
fresh
ln -s nowhere d/link
mkfifo d/sub/fifo
run 0 redundant d -c "$T/work/"
out_has '            ignored: 1 symbolic link, 1 special file
1 directory can go'
# A file that could not be read, a directory that can't be.
ordinary
fresh
printf 'six' >d/un
chmod 0 d/un
run 3 scan --racy-window 0s --no-hidden .
unproven '1 unreadable'
fresh
chmod 0 d/sub
run 3 redundant d -0
out </dev/null
chmod 700 d/sub
fresh
chmod 0 keep
run 3 redundant d -0
out </dev/null
err_has "can't be looked at"
chmod 700 keep
# The index itself.
fresh
cp "$TWINDEX_DB" d/index.db
chmod a+r d/index.db
TWINDEX_DB=$T/work/d/index.db
run 3 redundant d -0
printf '%s\0' "$T/work/d/sub" | out
