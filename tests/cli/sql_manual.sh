# SPDX-License-Identifier: MIT
# What twindex-schema(5) says: every view with just its columns, what the file says of itself, and queries that sql
# and sqlite3 answer alike.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
page=$srcdir/man/twindex-schema.5
mkdir -p photos old/.cache
printf 'photo 1' >photos/beach.jpg
printf 'snow 2' >photos/snow.JPG
printf 'same' >photos/notes
cp photos/beach.jpg old/IMG_42.jpg
cp photos/snow.JPG old/snow.jpg
printf 'alone' >old/letter
printf 'cached' >photos/kept
cp photos/kept old/.cache/kept
cp photos/snow.JPG old/.cache/snow
printf 'elsewhere' >linked
scan --exclude "$(printf 'no\351l')" photos old
rows 'SELECT options FROM scan_view'
echo '--exclude no\xe9l' | out || exit
# One with a name outside, one that is another one since, one that is no character.
ln linked old/linked
printf 'longer letter' >old/letter
cp photos/notes "$(printf 'old/n\377')"
scan
run 0 mark drop old/snow.jpg
run 0 volumes --place 'shelf 2' .
# A place that lasts, wherever the tests are.
"$SQLITE3" "$TWINDEX_DB" "UPDATE volume SET type = 'ext4'; UPDATE dir SET name = replace(name, '$T/work/', '/home/u/') WHERE parent = 0;
	UPDATE mark SET shown = replace(shown, '$T/work/', '/home/u/'), path = CAST(replace(shown, '$T/work/', '/home/u/') AS BLOB)" ||
	fail 'the index cannot be moved'

"$SQLITE3" "$TWINDEX_DB" "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name" >views
"$AWK" '/^\.Sh/ { here = /VIEWS/ } here && /^\.Ss/ { print $2 }' "$page" | sort | diff views - || fail 'views of the index (<) and of its manual (>)'
while read -r view; do
	run 0 sql "SELECT * FROM $view LIMIT 0"
	tr '\t' '\n' <"$T/out" | sort >columns
	"$AWK" -v view="$view" '/^\.S[hs]/ { here = $2 == view } here && /^\.It Va/ { for (i = 3; i <= NF; i++) if ($i != ",") print $i }' "$page" |
		sort | diff columns - || fail "columns of $view (<) and in its manual (>)"
done <views
grep -qx "$("$SQLITE3" "$TWINDEX_DB" 'PRAGMA application_id'), which is 0x54776478," "$page" || fail 'another application_id'
grep -qx "The version of the format, now $("$SQLITE3" "$TWINDEX_DB" 'PRAGMA user_version'), as" "$page" || fail 'another user_version'

# The queries, one after the other; of the disk and of times not the values.
"$AWK" '/^\.Sh/ { here = /QUERIES/ } /^\.Ed/ { out = "" } out != "" { print >out } here && /^\.Bd/ { out = sprintf("query%02d", ++n) }' "$page"
for query in query*; do
	run 0 sql "$(cat $query)"
	"$SQLITE3" -readonly -batch -header -separator "$(printf '\t')" "$TWINDEX_DB" <$query | cmp - "$T/out" || fail "$query: sqlite3 answers otherwise"
	case $(sed 1q "$T/out") in
	disk*) sed '2s/^[^	]*/DISK/' "$T/out" ;;
	*seconds) sed 's/[0-9]\{4\}-[0-9][0-9]-[0-9][0-9]	[0-9]*$/DAY	N/' "$T/out" ;;
	*) cat "$T/out" ;;
	esac | tr '\t' ' ' | sed 's|/home/u/||' >>answers
done
cat >want <<'END'
sets copies redundant
4 9 29
path files
photos 4
old 3
old/.cache 2
size copies redundant stays
6 3 12 old/snow.jpg
7 2 7 old/IMG_42.jpg
6 2 6 photos/kept
4 2 4 old/n\xff
path files bytes
old/.cache 2 12
size copies path
7 2 old/IMG_42.jpg
6 2 old/.cache/kept
6 3 old/.cache/snow
4 2 old/n\xff
suffix sets redundant
jpg 2 19
path known nlink
old/linked 1 2
disk inodes bytes
DISK 11 74
path day seconds
old DAY N
photos DAY N
path size
old/letter 5
path decision files bytes
old drop 1 6
END
diff answers want || fail 'other answers (<) than expected (>)'
