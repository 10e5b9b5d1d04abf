# SPDX-License-Identifier: MIT
# compare --with INDEX where mounts matter: an old disk that lay at the path of a new one, one disk at two paths.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

# In memory a disk is known to lie there only while it is mounted.
own_mounts
images=$(mktemp -d "${DISK_TMPDIR:-/tmp}/twindex-images.XXXXXX") || exit 99
trap 'cd / && unmount; rm -rf "$images"; cleanup' EXIT
case $(df --output=fstype "$images" 2>/dev/null | tail -n 1) in tmpfs | ramfs) skip 'no disk here' ;; esac
other=$T/other.db
mkdir m n
disk "$images/old" m
mkdir m/d
printf 'on both' >m/d/both
printf 'on the old' >m/d/lost
printf 'moved here' >m/d/from
scan --db "$other" --hash-all m/d
umount m
disk "$images/new" m
mkdir m/d
cp "$srcdir/tests/cli/mounts.sh" m/d/new
printf 'on both' >m/d/both
printf 'moved here' >m/d/to
scan --secret-from "$other" m/d

# The old disk is away, and judged as of its last scan: so the status is 3.
all='--same --moved --different --only-left --only-right -r'
run 3 compare m/d m/d --with "$other" $all
out <<END
~ to -> from
< new
> lost
= both
END
err_has 'not judged: 3 offline (as of the last scan)'
run 3 compare m/d m/d --with "$other"
out_has "B: m/d (index $other, seen 20"
out_has 'as far as could be judged, '
run 2 compare m/d m/d --with "$other" --online
run 2 compare m/d m/d

# What was not read on it can't be read now: nothing is said of what has its size, 7 bytes.  The others were
# read, for they have one size.
umount m
mount -o loop "$images/old" m
rm "$other"
scan --db "$other" --secret-from "$TWINDEX_DB" m/d
umount m
mount -o loop "$images/new" m
run 3 compare m/d m/d --with "$other" $all
out <<END
~ to -> from
< new
> lost
END

# The same disk, somewhere else now: what the old index says of it is no copy of what is there.
mount -o loop "$images/old" n
umount m
scan --db "$T/n.db" --secret-from "$other" n/d
run 3 compare --db "$T/n.db" n/d m/d --with "$other" $all -v
out </dev/null
err_has '(reached by another path)'

# One directory by two paths; one within the other tree.
mkdir b c c/in
mount --bind n/d b
mount --bind n/d c/in
rm "$other"
scan --db "$other" --secret-from "$TWINDEX_DB" b
run 2 compare --db "$T/n.db" n/d b --with "$other"
err_has 'are one'
rm "$other"
scan --db "$other" --secret-from "$TWINDEX_DB" c
run 3 compare --db "$T/n.db" n/d c --with "$other" $all -v
out </dev/null
err_has "c/in/both (reached by another path)"
