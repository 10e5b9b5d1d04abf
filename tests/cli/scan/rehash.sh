# SPDX-License-Identifier: MIT
# --rehash trusts no stored hash: it finds what changed without a trace.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
printf 'same' >a
printf 'same' >b
head -c 50000 /dev/zero >big1
head -c 50000 /dev/zero >big2
scan .
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET hash = zeroblob(16) WHERE name IN ('b', 'big2')"
scan
out_line 'read        0 files, 0 B'
run 0 report
out <<'END'
No duplicates.
END
run 1 scan --racy-window 0s --rehash
out_line 'read        4 files, .*'
out_line 'corrupt     2 files have changed content under an unchanged size and time'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
big1
big2

a
b

END
run 0 check
