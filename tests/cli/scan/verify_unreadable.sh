# SPDX-License-Identifier: MIT
# A later scan with --verify compares all of a set but the file that can't be read; where that is the one that all
# are compared with, none of them counts as compared.
. "$srcdir/tests/cli/lib.sh"

for i in 0 1 2 3 4 5 6 7 8 9; do
	yes same | head -c 600000 >$i
done
scan .
cp "$TWINDEX_DB" "$T/before"

# unread NAME: without the second piece of this file.
unread()
{
	rm -f "$TWINDEX_DB"*
	cp "$T/before" "$TWINDEX_DB"
	only_path=$T/work/$1
	injected pread64 pread64:error=EIO:when=2+ scan --verify || skip 'no strace that can make reads fail'
	[ $got -eq 0 ] || fail "status $got"
	rows "SELECT group_concat(name, ' ') FROM (SELECT name FROM file_view WHERE verified IS NULL ORDER BY name)"
}

unread 5
out <<'END1'
5
END1
unread 0
out <<'END2'
0 1 2 3 4 5 6 7 8 9
END2
