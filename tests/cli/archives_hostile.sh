# SPDX-License-Identifier: MIT
# Archives that are encrypted, damaged, cut off or bombs are not judged, with the reason; names are only names.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
need bsdtar zip "${SQLITE3:-sqlite3}"

# why FILE: what the index has of it: its reason, members, and their reasons.
why()
{
	"$SQLITE3" "$TWINDEX_DB" "SELECT a.why, a.members, (SELECT group_concat(DISTINCT why) FROM archive_member WHERE archive = a.id)
		FROM file f JOIN archive a USING (volume, inode) WHERE f.name = '$1'"
}

mkdir t a
head -c 100000 /dev/urandom >t/large
printf x >t/small
bsdtar -cf a/whole.tar.gz -z t
head -c 60000 a/whole.tar.gz >a/cut.tar.gz
(cd t && zip -q -P secret ../a/encrypted.zip small large && zip -q ../a/whole.zip small large) || fail 'zip'
head -c 50000 a/whole.zip >a/cut.zip
# A byte of the stored member, whose checksum is then wrong.
cp a/whole.zip a/rotten.zip
printf '\377\376\375' | dd of=a/rotten.zip bs=1 seek=40000 conv=notrunc 2>/dev/null
head -c 3000 /dev/urandom >a/random.tar
truncate -s 300M zeros && bsdtar --no-read-sparse --zstd -cf a/bomb.tar.zst zeros && rm zeros
# Names that would lead elsewhere.
printf 'outside' >outside
bsdtar -cPf a/names.tar --format pax -s ',^outside,../../../outside,' outside
bsdtar -cPf a/absolute.tar "$PWD/outside"
touch "$(printf 'bad\377name')" 2>/dev/null && printf 'bad' >"$(printf 'bad\377name')" &&
	bsdtar -cf a/utf.tar "$(printf 'bad\377name')" && rm "$(printf 'bad\377name')"

scan --archives --hash-all .
grep -q "a/cut.tar.gz': .* known: damaged$" "$T/err" || fail 'nothing is said of an archive that was cut off'
err_has "a/cut.zip': not all its members are known: damaged"
err_has "a/bomb.tar.zst': not all its members are known: it expands too much"
err_lacks 'random.tar'
run 0 check
[ "$(why encrypted.zip)" = '0|2|3' ] || fail "encrypted: $(why encrypted.zip)"
[ "$(why rotten.zip)" = '0|2|0,4' ] || fail "rotten: $(why rotten.zip)"
[ "$(why random.tar)" = '11|0|' ] || fail "random: $(why random.tar)"
[ "$(why bomb.tar.zst)" = '6|1|6' ] || fail "bomb: $(why bomb.tar.zst)"
[ "$(why names.tar)" = '0|1|0' ] || fail "names: $(why names.tar)"
[ "$("$SQLITE3" "$TWINDEX_DB" "SELECT count(*) FROM archive_member WHERE name IN ('../../../outside', '$PWD/outside') AND hash IS NOT NULL")" = 2 ] ||
	fail 'names that lead elsewhere'
if [ -e a/utf.tar ]; then
	[ "$("$SQLITE3" "$TWINDEX_DB" "SELECT hex(name_raw) FROM archive_member WHERE name_raw IS NOT NULL")" = 626164FF6E616D65 ] || fail 'bytes of a name'
fi
# Nothing was written by any of that.
[ "$(cat outside)" = outside ] || fail 'a file was written'
# What is the same is not tried again.
scan .
err_lacks 'members'
out_lacks 'archives '
