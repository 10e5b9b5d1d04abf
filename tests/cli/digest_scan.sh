# SPDX-License-Identifier: MIT
# scan --digest keeps digests of what it reads whole, and reads no file for them.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libgcrypt [0-9]' || skip 'built without libgcrypt'
mkdir d
head -c 5000 /dev/urandom >d/a
cp d/a d/b
ln d/b d/link
head -c 400000 /dev/urandom >d/large
cp d/large d/large2
printf 'single' >d/alone
# The first scan, which writes most of the index by itself, and as SQLite writes it.
scan .
cp "$T/out" "$T/without"
rm "$TWINDEX_DB"
scan --digest sha256,md5 .
[ "$(grep '^read' "$T/out" | cut -d , -f 1)" = "$(grep '^read' "$T/without" | cut -d , -f 1)" ] || fail 'it reads something else'
run 0 check
for kind in sha256 md5; do
	run 3 digest --list --kind $kind
	err_has "1 file has no $kind that holds"
	[ "$(wc -l <"$T/out")" -eq 5 ] || fail 'not the five names that were read'
	${kind}sum -c --quiet "$T/out" || fail "${kind}sum -c does not take the list"
done
run 0 digest --racy-window 0s
out_line 'computed    1 file, 6 B'

# A later scan.
printf 'double' >d/alone2
printf 'new' >>d/a
scan --digest sha256 .
run 3 digest --list d/alone2 d/a
says "$T/out" "$(sha256sum "$T/work/d/alone2")" || fail 'not of what that scan read'
run 0 check
# With --hash-all of all.
scan --hash-all --digest blake2b d
run 0 digest --kind blake2b
scan --rehash --digest blake2b d
run 0 digest --list --kind blake2b
b2sum -c --quiet "$T/out" || fail 'b2sum -c does not take the list'
# The option is not one of the root.
run 0 info
! grep "^root.*blake2b" "$T/out" || fail "it is an option of the root"
run 2 scan --digest crc32 .
err_has "option '--digest': 'crc32'"
run 0 check
