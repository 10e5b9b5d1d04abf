# SPDX-License-Identifier: MIT
# scan --nested-archives opens archives in archives, one level deep: their members are known by the names of both, what is wrong with
# one is told of that one, and changes nothing beside it.  Without the option nothing of it is there.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
need bsdtar zip "${SQLITE3:-sqlite3}"

# why FILE MEMBER: the reasons of what the index has in that member of it.
why()
{
	"$SQLITE3" "$TWINDEX_DB" "SELECT group_concat(DISTINCT m.why) FROM file f JOIN archive a USING (volume, inode) JOIN archive_member m ON m.archive = a.id
		WHERE f.name = '$1' AND m.name LIKE '$2!/%'"
}

# rows_of INDEX WHERE: those members of all archives, in order.
rows_of()
{
	"$SQLITE3" "$1" "SELECT f.name, m.name, m.why, m.size, m.hash IS NOT NULL FROM archive a JOIN file f USING (volume, inode)
		JOIN archive_member m ON m.archive = a.id WHERE $2 ORDER BY f.name, m.number"
}

mkdir home home/src a in
printf 'one' >home/src/one
printf 'two, longer' >home/src/two
head -c 90000 /dev/urandom >home/large
cp -r home in/all && printf 'lost' >in/all/lost
cd in/all || exit 99
bsdtar --format zip -cf ../i.zip src/one src/two large lost
bsdtar -czf ../i.tar.gz src large lost
bsdtar -cJf ../data.tar.xz src/one large && bsdtar -cf ../control.tar src/two
bsdtar --format 7zip -cf ../i.7z src/one large lost
bsdtar --format newc -cf ../i.cpio src/one large
bsdtar --format iso9660 -cf ../i.iso src/two large
cd .. || exit 99
printf '2.0\n' >debian-binary
bsdtar --format ar -cf ../a/p.deb debian-binary control.tar data.tar.xz || fail 'bsdtar'
bsdtar -cf ../a/zip.tar i.zip && bsdtar --format zip -cf ../a/tgz.zip i.tar.gz && bsdtar --format zip -cf ../a/zip.zip i.zip all/lost &&
	bsdtar --format zip -cf ../a/7z.zip i.7z && bsdtar -czf ../a/more.tgz i.cpio i.iso all/src/one || fail 'bsdtar'
cd ..

# Every format: what is in a member has the hash of its file.
scan --nested-archives --hash-all home a
run 0 check
for found in 'p.deb!/data.tar.xz!/src/one' 'p.deb!/data.tar.xz!/large' 'p.deb!/control.tar!/src/two' 'zip.tar!/i.zip!/src/one' \
	'tgz.zip!/i.tar.gz!/src/two' 'zip.zip!/i.zip!/large' '7z.zip!/i.7z!/large' 'more.tgz!/i.cpio!/large' 'more.tgz!/all/src/one'; do
	run 0 ls "a/${found%%!*}"
	out_line "       dup  $T/work/a/$found"
done
run 0 ls a/more.tgz
grep -qi '       dup  .*!/i.iso!/large' "$T/out" || fail 'an iso in a tar'
run 0 ls a/zip.zip
out <<END
    unique  $T/work/a/zip.zip
    unique  $T/work/a/zip.zip!/i.zip
       dup  $T/work/a/zip.zip!/i.zip!/src/one
       dup  $T/work/a/zip.zip!/i.zip!/src/two
       dup  $T/work/a/zip.zip!/i.zip!/large
    unique  $T/work/a/zip.zip!/i.zip!/lost
    unique  $T/work/a/zip.zip!/all/lost
END
run 0 ls --json a/zip.tar
out_has "\"archive\":\"$T/work/a/zip.tar\",\"within\":\"$T/work/a/zip.tar!/i.zip\""
run 1 file home/src/two
out_has "also in $T/work/a/zip.tar!/i.zip!/src/two"
run 0 info
out_has '--nested-archives)'
run 0 contained home --in a/tgz.zip
run 0 contained home --in a/p.deb
run 1 contained home --in a/7z.zip
run 1 contained a/zip.zip home
out <<END
$T/work/a/zip.zip!/i.zip
$T/work/a/zip.zip!/i.zip!/lost
$T/work/a/zip.zip!/all/lost
END
err_has 'its 2 members were looked for'
run 2 rm -n 'a/zip.zip!/i.zip!/src/one'
err_has 'is a member of an archive, and no file'

# An archive in an archive counts as the file it is: with a copy of it nothing more is asked.
run 1 redundant --archives a
run 1 at-risk --archives -c "$T/work/" a/zip.zip a
out_line '.* 3 of 6 members in a/zip.zip'
# What is in a member has no bytes of its own.
run 1 at-risk --archives --json a/tgz.zip
out_has "\"files\":2,\"bytes\":$(($(wc -c <in/i.tar.gz))),\"of\":5"
cp in/i.zip home/i.zip && cp in/all/lost home/lost
scan home a
run 0 contained a/zip.zip home
run 0 at-risk --archives --files -c "$T/work/" a/zip.zip
run 0 redundant --archives -c "$T/work/" a
out_has a/zip.zip
out_has a/zip.tar
out_lacks tgz.zip
rm home/i.zip
scan home a
run 1 redundant --archives a
rm home/lost

# What is unchanged is not opened again; without the option what is in members goes, with it it comes, each once.
scan home a
out_lacks 'archives '
rows_of "$TWINDEX_DB" 1 >"$T/nested"
scan --archives --hash-all home a
out_lacks 'archives '
run 0 check
[ "$("$SQLITE3" "$TWINDEX_DB" "SELECT count(*) FROM archive_member WHERE name LIKE '%!/%'")" = 0 ] || fail 'what is in members stays'
run 0 ls a/zip.tar
out_lacks 'i.zip!/'
run 0 --db "$T/plain.db" scan --racy-window 0s --archives --hash-all home a
rows_of "$T/plain.db" 1 >"$T/plain"
rows_of "$TWINDEX_DB" 1 | cmp "$T/plain" - || fail 'without the option it is not as if it had never been given'
scan --nested-archives --hash-all home a
out_line 'archives    6 opened with .*'
rows_of "$TWINDEX_DB" 1 | cmp "$T/nested" - || fail 'what comes back differs'
scan home a
out_lacks 'archives '
# By two names, of which one has it.
mkdir b && ln a/zip.tar b/zip.tar
scan --archives b
scan home a b
run 0 ls b/zip.tar
out_has 'i.zip!/src/one'
scan home a b
out_lacks 'archives '
rm -r b

# Without --hash-all what no file has the size of is listed only, until one has; the archive in the archive is read for that.
rm -r a && mkdir a
bsdtar --format zip -cf a/zip.zip -C in i.zip
run 0 --db "$T/lazy.db" scan --racy-window 0s --nested-archives a
[ "$("$SQLITE3" "$T/lazy.db" "SELECT group_concat(why) FROM (SELECT why FROM archive_member ORDER BY number)")" = 0,1,1,1,1 ] || fail 'members that no file can have were read'
printf 'tsol' >a/four
run 0 --db "$T/lazy.db" scan --racy-window 0s a
out_line 'archives    1 opened with 5 members, 2 of them read, .*'

# What is wrong with one in it: encrypted, damaged, cut off, a bomb, no archive; and one in one in one.
rm -r a && mkdir a
cd in || exit 99
(cd all && zip -q -P secret ../secret.zip src/one lost)
head -c 60000 i.tar.gz >cut.tar.gz
# There is no such block of gzip: its reading ends with the first one.
{ printf '\037\213\010\0\0\0\0\0\0\3\007' && for n in 1 2 3 4 5 6 7 8; do cat ../home/large; done; } >early.tar.gz && cp early.tar.gz ../home/early.tar.gz
cp i.zip rotten.zip && printf '\377\376\375' | dd of=rotten.zip bs=1 seek=40000 conv=notrunc 2>/dev/null
truncate -s 300M zeros && bsdtar --no-read-sparse --zstd -cf bomb.tar.zst zeros && rm zeros
printf 'no archive' >no.zip
: >empty.zip
bsdtar -cf two.tar i.zip all/src/one
for n in 1 2; do
	bsdtar --format zip -cf ../a/$n.zip secret.zip cut.tar.gz early.tar.gz rotten.zip bomb.tar.zst no.zip empty.zip two.tar all/src/two || fail 'bsdtar'
done
zip -q -0 -P secret ../a/closed.zip i.zip
cd ..
# Three bytes of the tar in a zip: the zip's own sum is wrong then, for a tar has none of its contents.
(cd in/all && bsdtar -cf ../plain.tar src/one large lost) && (cd in && zip -q -0 ../a/spoilt.zip plain.tar all/src/one)
printf '\377\376\375' | dd of=a/spoilt.zip bs=1 seek=40000 conv=notrunc 2>/dev/null
scan --nested-archives --hash-all home a
err_has "a/1.zip!/cut.tar.gz': not all its members are known: damaged"
err_has "a/1.zip!/bomb.tar.zst': not all its members are known: it expands too much"
err_has "a/closed.zip!/i.zip': not all its members are known: encrypted"
err_has "a/spoilt.zip!/plain.tar': not all its members are known: damaged"
err_lacks 'no.zip'
run 0 check
[ "$(why 1.zip secret.zip)" = 3 ] || fail "encrypted: $(why 1.zip secret.zip)"
[ "$(why 1.zip rotten.zip)" = 0,4 ] || fail "rotten: $(why 1.zip rotten.zip)"
[ "$(why 1.zip bomb.tar.zst)" = 6 ] || fail "bomb: $(why 1.zip bomb.tar.zst)"
[ -z "$(why 1.zip no.zip)$(why 1.zip empty.zip)" ] || fail 'what is no archive has members'
[ "$(why closed.zip i.zip)" = 3 ] || fail 'the zip is encrypted'
# What came with a wrong sum is no content to rely on; what lies beside it is.
[ "$(why spoilt.zip plain.tar)" = 4 ] || fail "spoilt: $(why spoilt.zip plain.tar)"
run 0 ls a/spoilt.zip
out_line "       dup  $T/work/a/spoilt.zip!/all/src/one"
out_line "   unknown  $T/work/a/spoilt.zip!/plain.tar!/src/one (damaged)"
# One level, and what follows; its own content is read to the end, wherever the reading in it ends.
run 0 ls a/1.zip
out_line "       dup  $T/work/a/1.zip!/early.tar.gz"
out_line "   unknown  $T/work/a/1.zip!/early.tar.gz!/ (damaged)"
out_line "    unique  $T/work/a/1.zip!/two.tar!/i.zip"
out_line "       dup  $T/work/a/1.zip!/two.tar!/all/src/one"
out_lacks 'i.zip!/'
out_line "       dup  $T/work/a/1.zip!/all/src/two"
out_line "   unknown  $T/work/a/1.zip!/bomb.tar.zst!/ (it expands too much)"
rows_of "$TWINDEX_DB" "m.name NOT LIKE '%!/%' AND f.name <> 'zip.tar'" >"$T/with"
run 0 --db "$T/plain.db" scan --racy-window 0s --archives --hash-all home a
rows_of "$T/plain.db" 1 | cmp "$T/with" - || fail 'what is in a member changes what is beside it'
# What is not known may be what is looked for.
printf 'elsewhere' >home/elsewhere
scan home a
run 3 contained home/elsewhere --in a/1.zip
err_has 'not judged'
run 3 at-risk --archives a
rm -r a home/elsewhere && mkdir a

# The process dies of one in it: the others are read without it.
if (ulimit -v 200000 && "$TWINDEX" version) >/dev/null 2>&1; then
	truncate -s 240M big.zip && bsdtar --no-read-sparse --zstd -cf a/o.tar.zst -C home/src one -C ../.. big.zip -C home/src two && rm big.zip
	(ulimit -v 200000 && scan --nested-archives home a) || exit 1
	err_has "a/o.tar.zst!/big.zip': not all its members are known: the process that read it died"
	run 0 ls a/o.tar.zst
	out_line "       dup  $T/work/a/o.tar.zst!/one"
	out_line "    unique  $T/work/a/o.tar.zst!/big.zip"
	out_line "       dup  $T/work/a/o.tar.zst!/two"
	run 0 check
	rm a/o.tar.zst
fi

# Names: a member that is called like one in an archive, a line feed, other bytes, only a suffix.
mkdir -p 'in/n/i.zip!' && printf 'one' >'in/n/i.zip!/x' && printf 'two, longer' >in/x && (cd in && bsdtar --format zip -cf n/i.zip x)
(cd in/n && bsdtar -cf ../../a/marks.tar 'i.zip!/x' i.zip)
mv in/n/i.zip "in/n/a${newline}b.zip" && mv 'in/n/i.zip!/x' in/n/.zip
cp "in/n/a${newline}b.zip" "in/n/$(printf 'c\377.zip')" 2>/dev/null
(cd in/n && bsdtar -cf ../../a/lines.tar "a${newline}b.zip" .zip && bsdtar -cf ../../a/bytes.tar c*)
scan --nested-archives --hash-all home a
run 0 check
run 0 ls --json a/marks.tar
[ "$(grep -c "\"path\":\"$T/work/a/marks.tar!/i.zip!/x\"" "$T/out")" = 2 ] || fail 'a name with a mark, and one in an archive'
[ "$(grep "\"path\":\"$T/work/a/marks.tar!/i.zip!/x\"" "$T/out" | grep -c '"within"')" = 1 ] || fail 'a name with a mark is taken for one in an archive'
# Of the file of either content: the one that is no archive's member has the archive alone.
run 0 ls --json a/lines.tar
out_has "a\\nb.zip!/x\",\"state\":\"dup\""
out_lacks '.zip!/x","state":"unique"'
run 0 ls a/bytes.tar
[ "$(grep -c '       dup  .*zip!/x' "$T/out")" = 1 ] || fail 'a name that is not UTF-8'
[ "$("$SQLITE3" "$TWINDEX_DB" "SELECT count(*) FROM archive_member WHERE hex(name_raw) = '63FF2E7A69700078'")" = 1 ] || fail 'the bytes of a name'
scan --archives home a
run 0 ls a/marks.tar
[ "$(grep -c 'i.zip!/x' "$T/out")" = 1 ] || fail 'a name with a mark was dropped'

# The options of a root: a backup that was declared below it stays one.
scan --backup home/src
scan --nested-archives home
scan --archives home
run 0 info
out_line "backup .*$T/work/home/src.*"
run 2 scan --nested-archives
err_has 'name the root'
