# SPDX-License-Identifier: MIT
# scan --archives: members of all formats have the hashes of files; what is unchanged is not opened again, what is gone is
# dropped; no answer about files changes.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
need bsdtar "${SQLITE3:-sqlite3}"

# answers: what is said of files.
answers()
{
	for question in 'report' 'ls -l' 'dups' 'uniques' 'du' 'redundant' 'at-risk' 'similar' 'waste'; do
		# shellcheck disable=SC2086 # words
		"$TWINDEX" $question files archives 2>&1 | grep -v '^time'
	done
}

mkdir files archives archives/deep
head -c 70000 /dev/urandom >files/large
printf 'text' >files/small
: >files/empty
ln -s small files/symlink
n=0
for format in ustar zip 7zip newc ar iso9660; do
	bsdtar --format $format -cf archives/deep/x.$(echo $format | sed 's/ustar/tar/; s/7zip/7z/; s/newc/cpio/; s/iso9660/iso/') -C files large small &&
		n=$((n + 1))
done
[ $n -eq 6 ] || fail 'bsdtar cannot write all formats'
for filter in gz bz2 xz zst; do
	bsdtar -caf archives/x.tar.$filter -C files large small empty symlink || fail "bsdtar cannot write $filter"
done
cp archives/deep/x.zip archives/X.JAR
printf 'no archive at all' >archives/no.zip

scan .
answers >"$T/before"
scan --archives .
out_line 'archives    11 opened with 26 members, 22 of them read, .*'
err_lacks 'no.zip'
run 0 check
answers >"$T/after"
cmp "$T/before" "$T/after" || fail 'members are in an answer about files'
run 0 info
out_line 'archives    11 with 26 members, 22 of them read'
out_has '(--archives)'
# Every member has the hash of its file.
[ "$("$SQLITE3" "$TWINDEX_DB" "SELECT count(*) FROM archive_member m JOIN file f ON f.hash = m.hash AND f.size = m.size WHERE f.name = m.name")" = 22 ] ||
	fail 'hashes of members are not those of files'

# Nothing is opened again.
scan .
out_lacks 'archives '
touch files/new
scan .
out_lacks 'archives '
# But for what is new, or was renamed, or is asked to be.
cp archives/X.JAR archives/second.zip
scan .
out_line 'archives    1 opened with 2 members, 2 of them read, .*'
scan --rehash .
out_line 'archives    12 opened with .*'

# A file comes that has the size of a member that was not read: the zip is opened again, and the file is read.
mkdir more
printf 'twelve bytes' >more/m
bsdtar --format zip -cf archives/m.zip -C more m
rm more/m
scan .
out_line 'archives    1 opened with 1 member, 0 of them read, 0 B'
printf 'twelve bytes' >more/m
scan .
out_line 'archives    1 opened with 1 member, 1 of them read, 12 B'
[ "$("$SQLITE3" "$TWINDEX_DB" "SELECT count(*) FROM archive_member m JOIN file f ON f.hash = m.hash WHERE m.name = 'm' AND f.name = 'm'")" = 1 ] ||
	fail 'the file that has the size of a member was not read'
run 0 check

# What is gone is dropped, and all of it with the option.
rm archives/m.zip archives/second.zip
scan .
run 0 info
out_line 'archives    11 with 26 members, 22 of them read'
scan --hidden .
run 0 info
out_lacks 'archives '
[ "$("$SQLITE3" "$TWINDEX_DB" 'SELECT count(*) FROM archive_member')" = 0 ] || fail 'members stay without the option'
run 0 check
