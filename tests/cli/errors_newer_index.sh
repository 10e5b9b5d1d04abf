# SPDX-License-Identifier: MIT
# An index of a newer version is refused, by all commands, and not touched.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
printf 'same' >a
printf 'same' >b
scan .
"$SQLITE3" "$TWINDEX_DB" 'PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
before=$(cksum <"$TWINDEX_DB")
for command in scan report ls 'file a' info check 'sql select' refresh 'forget a' 'mark drop a' marks; do
	# shellcheck disable=SC2086
	run 5 $command
	err_has 'version 99'
	err_has 'newer'
done
[ "$before" = "$(cksum <"$TWINDEX_DB")" ] || fail 'the index has changed'
