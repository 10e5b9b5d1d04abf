# SPDX-License-Identifier: MIT
# An index of version 2, which v1.sql and v2.sql hold, answers as it always did.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
[ ! -e /nonexistent ] || skip 'there is a /nonexistent'
cat "$srcdir/tests/sql/v1.sql" "$srcdir/tests/sql/v2.sql" | "$SQLITE3" -batch -bail "$TWINDEX_DB" >/dev/null ||
	fail 'the dump cannot be loaded'

run 0 check
run 0 info
out_line 'format      version 2, xxh3-128'
run 0 marks -c /nonexistent/v1/
printf '%b\n' '      drop        13 B  photos/a (offline)' \
	'      keep    97.7 KiB  photos/big1 (offline)' \
	'      keep    97.7 KiB  photos/big2 (stale: it has changed since it was marked)' \
	'      drop        13 B  photos/d\0376/f\0377 (offline)' \
	'      keep         9 B  photos/racy (stale: it has another content)' \
	'      drop     4.0 EiB  photos/vanished (stale: no longer in the index)' \
	'0 to drop, 0 B to be freed on disk, 3 stale, 3 offline' >"$T/expect"
out <"$T/expect"
rows 'SELECT path, path_raw, decision, size, mtime_ns, hash, made FROM mark_view ORDER BY made, path'
out <<'END'
/nonexistent/v1/photos/a		drop	13	1795231868852494305	5056248d2ed7a824b0efb903b25630a2	1795232000
/nonexistent/v1/photos/d\xfe/f\xff	2f6e6f6e6578697374656e742f76312f70686f746f732f64fe2f66ff	drop	13	1795231868852494305	5056248d2ed7a824b0efb903b25630a2	1795232001
/nonexistent/v1/photos/big1		keep	100000	1795231868852642618		1795232002
/nonexistent/v1/photos/big2		keep	100000	1		1795232002
/nonexistent/v1/photos/racy		keep	9	1795231868852811876	5056248d2ed7a824b0efb903b25630a2	1795232002
/nonexistent/v1/photos/vanished		drop	4611686018427387904	-1	42f2d39b5c3baec5d57f28799cf57fd3	1795232003
END

# Its journal takes back what was done.
run 0 mark undo
[ "$(wc -l <"$T/out")" -eq 1 ] || fail 'undo does not name one file'
run 0 mark undo
out_has '2 files as before'
run 1 mark undo
rows "SELECT replace(path, '/nonexistent/v1/photos/', ''), decision, size, mtime_ns, hash, made FROM mark_view
	WHERE made < 1795232000 ORDER BY path"
out <<'END'
d\xfe/f\xff	keep	13	5		1795231998
hard	keep	13	1795231868852494305	5056248d2ed7a824b0efb903b25630a2	1795231999
END

# The first that writes has upgraded it, once.
run 0 info
out_line 'format      version 6, xxh3-128'
run 0 check

# The schema is that of a new index.
schema_is_new 'a new index has another schema than an upgraded one'
