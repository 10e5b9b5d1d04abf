# SPDX-License-Identifier: MIT
# Files that only claim to be equal are found out by --verify.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
printf 'same' >a
printf 'same' >b
printf 'else' >c
scan .
# As if the hashes had collided.
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET hash = (SELECT hash FROM file WHERE name = 'a') WHERE name = 'c'"
run 0 dups -c "$T/work/"
out <<'END'
a
b
c
END
run 3 scan --racy-window 0s --verify
run 3 report --format fdupes -c "$T/work/"
out <<'END'
a
b

END
