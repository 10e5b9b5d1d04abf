# SPDX-License-Identifier: MIT
# digest --sizes-of reads only files whose size was claimed by what was imported.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libgcrypt [0-9]' || skip 'built without libgcrypt'
[ -n "$SQLITE3" ] || skip 'no sqlite3'
printf '4444' >four
printf '55555' >five
printf '666666' >six
scan -q .
run 2 digest --sizes-of cloud
err_has "nothing was imported as 'cloud'"
"$SQLITE3" "$TWINDEX_DB" "$(cat "$srcdir"/sql/*.sql | sed -n '/^-- name: schema_claim$/,/^-- name: /{/^--/d; p;}')
	INSERT INTO claim_source VALUES (1, 'cloud', 'efu', '-', 1, NULL, 3, 3, 0), (2, 'other', 'efu', '-', 1, NULL, 1, 1, 0);
	INSERT INTO claim (source, name, size) VALUES (1, 'x', 5), (1, 'y', 5), (1, 'z', NULL), (2, 'w', 6)"
run 2 digest --sizes-of clouds
err_has "nothing was imported as 'clouds'"
run 0 digest --sizes-of cloud
out_line 'computed    1 file, 5 B'
run 3 digest --list
says "$T/out" "$(sha256sum "$T/work/five")" || fail 'not of that size alone'
run 0 check
