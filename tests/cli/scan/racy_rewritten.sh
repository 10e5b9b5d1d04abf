# SPDX-License-Identifier: MIT
# A store that leaves every stamp as it was is noticed within the racy window: stamps alone prove nothing there.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
printf 'AAAA' >a
printf 'AAAA' >b
run 0 scan --racy-window 60s .
printf 'BBBB' >b
touch -r a b
# As a file system with coarse stamps would show it: the index is given the new stamps.
set -- $(stat -c '%Y %Z' b) $(stat -c '%y' b | sed 's/.*\.//; s/ .*//') $(stat -c '%z' b | sed 's/.*\.//; s/ .*//')
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET own_mtime = $1, ctime = $2, own_mtime_nsec = 1$3 - 1000000000, \
	ctime_nsec = 1$4 - 1000000000 WHERE name = 'b'" || fail 'sqlite3'
run 0 ls -c "$T/work/"
out <<'END'
       dup  a
       dup  b
END
run 0 scan
out_line 'read        2 files, 8 B'
run 0 ls -c "$T/work/"
out <<'END'
    unique  a
    unique  b
END
