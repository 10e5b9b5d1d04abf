# SPDX-License-Identifier: MIT
# volumes --name, --place, --note: what people say of a disk is kept, and said wherever its files are offline.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux file systems by their ids

own_mounts
mkdir blue here red
disk image blue -L old
printf 'a photo' >here/photo
cp here/photo blue/photo
printf 'only there' >blue/alone
printf 'unread and of its own size' >here/other
scan here blue

# Nothing was named yet: no table, and an empty view.
run 0 volumes
out_lacks 'shelf'
rows 'SELECT * FROM drawer_view'
out </dev/null
run 0 check

# By a directory, then by the name, by the label, by the key.
run 0 volumes --name 'blue disk' --place 'shelf 2' blue
out_has "online   blue disk, old, ext4, "
out_line '         shelf 2'
[ "$(grep -c 'only here' "$T/out")" = 1 ] || fail 'more than the disk that was named'
run 0 volumes 'blue disk' --note 'lent to <Ann> & Bob'
out_line '         shelf 2; lent to <Ann> & Bob'
run 0 volumes --place 'shelf 3' old
out_line '         shelf 3; lent to <Ann> & Bob'
rows "SELECT key FROM volume_view WHERE label = 'old'"
key=$(cat "$T/out")
run 0 volumes --place 'shelf 2' "$key"
out_line '         shelf 2; lent to <Ann> & Bob'
rows 'SELECT key, name, place, note FROM drawer_view'
printf '%s\tblue disk\tshelf 2\tlent to <Ann> & Bob\n' "$key" | out || exit
run 0 check

# JSON and CSV.
run 0 volumes --json
out_has '"name":"blue disk","place":"shelf 2","note":"lent to <Ann> & Bob"}'
run 0 volumes --format csv
out_has ',"blue disk","shelf 2","lent to <Ann> & Bob"'

# What can't be a name, or names no disk, or two; the names stay.
run 2 volumes --name 'blue disk' here
err_has "another disk has the name 'blue disk'"
run 2 volumes --name x nowhere
err_has "the index has no disk 'nowhere'"
run 2 volumes --name x
err_has 'are about one disk'
run 2 volumes --name x here blue
run 2 volumes here
err_has 'takes an operand only with --name'
run 2 volumes --name "$(printf 'a\033[1mb')" blue
err_has 'the name of a disk is a line of UTF-8 text'
run 2 volumes --place "$(printf '\377')" blue
run 2 volumes --name "$(printf '%81s' | tr ' ' x)" blue
err_has 'at most 80 bytes, not 81'
run 2 volumes --labels --json
run 2 volumes --labels --name x blue
printf 'no index' >none
TWINDEX_DB=$T/missing.db run 5 volumes --name x blue
[ ! -e "$T/missing.db" ] || fail 'a name made an index'
run 0 volumes
out_has 'online   blue disk, old, ext4, '

# In the drawer: each answer says which one, and where.
umount blue
run 0 volumes
out_has 'offline  blue disk, old, ext4, '
out_line '         shelf 2; lent to <Ann> & Bob'
run 1 file here/photo -v
out_has '(another copy is offline: blue disk, shelf 2)'
out_has '/blue/photo (offline: blue disk, shelf 2)'
run 1 file here/photo --json -v
out_has '"kind":"offline","disk":"blue disk, shelf 2",'
run 0 ls blue
out_has '(offline: blue disk, shelf 2; as of the last scan)'
if command -v script >/dev/null; then
	terminal 200 safe here
	out_has 'a copy elsewhere that is offline (blue disk, shelf 2)'
fi
run 0 report --online
err_has "offline, and left out: $T/work/blue (blue disk, shelf 2)"
run 3 refresh
err_has "'$T/work/blue': offline: blue disk, shelf 2; its files stay in the index"
run 3 scan
err_has "'$T/work/blue': blue disk, shelf 2: empty now, as if not mounted: its files stay in the index"
rmdir blue
run 0 scan here
run 0 ls blue
out_has '(offline: blue disk, shelf 2; as of the last scan)'
# While it is away it can be named by what it was.
run 0 volumes --note '' "$T/work/blue"
out_line '         shelf 2'
run 0 volumes --place 'shelf 4' 'blue disk'

# Another disk in its place is not it.
mkdir blue
disk other blue
run 2 volumes --name red blue
err_has "the index has nothing of the disk that is mounted at '$T/work/blue': scan it first"
umount blue
mkdir elsewhere
mount -o loop image elsewhere
run 0 volumes --place 'shelf 5' elsewhere
out_has 'online   blue disk, old, ext4, '
umount elsewhere

# The names of an index that is asked with --with are said, too.
TWINDEX_DB=$T/two.db run 0 scan --secret-from "$TWINDEX_DB" here
TWINDEX_DB=$T/two.db run 1 file here/photo -v --with "$TWINDEX_DB"
out_has '(another copy is offline: blue disk, shelf 5)'
out_has '/blue/photo (offline: blue disk, shelf 5)'

# A sheet of labels: XML, with nothing of what was said as markup.
run 0 volumes --note '<b>&"' 'blue disk'
run 0 volumes --labels
out_has '<h2>blue disk</h2>'
out_has '<p class="place">shelf 5</p>'
out_has '<p class="note">&lt;b&gt;&amp;&quot;</p>'
[ "$(grep -c '<section>' "$T/out")" = 2 ] || fail 'not a label for each disk'
if [ -n "$PYTHON" ]; then
	"$PYTHON" -S -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$T/out" || fail 'the page is no XML'
fi
run 0 volumes --labels --online
[ "$(grep -c '<section>' "$T/out")" = 1 ] || fail 'a label for a disk that --online leaves out'

# Nothing said any more: no row is left.
run 0 volumes --name '' --place '' --note '' 'blue disk'
rows 'SELECT count(*) FROM drawer_view'
echo 0 | out || exit
run 1 file here/photo
out_has '(another copy is offline)'
run 0 check
