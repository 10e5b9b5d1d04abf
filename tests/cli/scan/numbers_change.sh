# SPDX-License-Identifier: MIT
# sshfs numbers files in the order in which they are asked for: after another mount a file may have the number that another
# one of its size and time had.  It is read for itself, and takes nothing of what the index has of that one.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need_linux types of file systems
[ -n "$SQLITE3" ] || skip 'no sqlite3'
own_mounts
mkdir -p d/A d/B m

# met FILE...: mounted anew, and asked for in this order.
met()
{
	umount m 2>/dev/null
	mount_ssh d m -o dir_cache=no
	for f in m/A m/B "$@"; do
		stat $f >/dev/null
	done
}

# sure FILE...: what the index has of their contents is true.
sure()
{
	for f in "$@"; do
		[ "$("$SQLITE3" "$TWINDEX_DB" "SELECT lower(hex(hash)) FROM file WHERE name = '${f##*/}'")" = "$("$TWINDEX" hash -k $f | cut -d' ' -f1)" ] ||
			fail "the index has another content of $f: $("$SQLITE3" "$TWINDEX_DB" 'SELECT name, inode, hex(hash) FROM file')"
	done
}

printf 'one' >d/A/f
printf 'two' >d/B/g
touch -d 2020-01-01 d/A/f d/B/g
met m/B/g m/A/f
scan m
was=$("$SQLITE3" "$TWINDEX_DB" "SELECT inode FROM file WHERE name = 'g'")
# Only A is scanned again, where f has the number of g, and its content, too.
printf 'two' >d/A/f
touch -d 2020-01-01 d/A/f
met m/A/f m/B/g
[ "$(stat -c %i m/A/f)" = "$was" ] || skip 'numbers come in another order here'
scan m/A
sure m/A/f
run 3 uniques m/A
out </dev/null
scan m
sure m/A/f m/B/g
# They change places, all else being equal.
printf 'one' >d/A/f
touch -d 2020-01-01 d/A/f
met m/B/g m/A/f
scan m
sure m/A/f m/B/g
# Nor is a new file that has the number of one that is gone that file under another name.
scan --trust-mtime m
rm d/A/f
printf 'six' >d/A/h
touch -d 2020-01-01 d/A/h
met m/B/g m/A/h
scan m
sure m/A/h m/B/g
umount m
