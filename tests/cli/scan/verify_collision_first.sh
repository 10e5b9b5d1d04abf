# SPDX-License-Identifier: MIT
# Files with equal hashes and other bytes are found out by a first scan with --verify.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'

# With a secret of nothing but zeros XXH3 adds up the pieces of 64 bytes of a
# longer file's first 1024: it does not matter in which order they come.
weak()
{
	rm -f "$TWINDEX_DB"
	mkdir "$T/empty"
	run 0 scan "$T/empty"
	rmdir "$T/empty"
	run 0 forget "$T/empty"
	"$SQLITE3" "$TWINDEX_DB" "UPDATE meta SET value = zeroblob(192) WHERE key = 'secret'"
}

# content SIZE FIRST SECOND: of so many bytes, with pieces in this order.
content()
{
	printf '%s%s' "$2" "$3"
	head -c $(($1 - 128)) "$T/zs"
}
head -c 600000 /dev/zero | tr '\0' z >"$T/zs"
a=$(printf '%64s' '' | tr ' ' a) b=$(printf '%64s' '' | tr ' ' b)

# Kept in memory, read again and then kept, kept with a head, read again with one, with a tail, too
# large for one read.
sizes='600 3000 6000 9000 140000 600000'
for size in $sizes; do
	content "$size" "$a" "$b" >a$size
	content "$size" "$a" "$b" >b$size
	content "$size" "$b" "$a" >c$size
	ln c$size d$size
done
# Do they collide?
weak
scan .
rows 'SELECT count(*) FROM set_view WHERE names = 4'
out <<'END1'
6
END1
for threads in 1 4; do
	weak
	run 3 scan --racy-window 0s --verify --threads $threads .
	err_has 'differ from those of a file with the same hash'
	# Which of them is compared with which is a matter of chance, but never are they one set.
	rows "SELECT count(*) FROM file_view x JOIN file_view y USING (hash) WHERE x.name GLOB '[ab]*' AND y.name GLOB '[cd]*'"
	out <<'END2'
0
END2
	rows "SELECT count(*) FROM file_view WHERE hash IS NULL AND error IS NOT -2"
	out <<'END3'
0
END3
	# The journal counts what is left.
	rows 'SELECT (SELECT count(*) FROM set_view) = sets AND (SELECT total(redundant) FROM set_view) = redundant
		FROM scan_view ORDER BY scan_id DESC LIMIT 1'
	out <<'END4'
1
END4
	run 0 check -q
done
