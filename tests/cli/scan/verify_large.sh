# SPDX-License-Identifier: MIT
# --verify reads large files of one head side by side: all have the hash that each has by itself.
. "$srcdir/tests/cli/lib.sh"


# file NAME BYTE TEXT: 600,000 bytes, at the given one the text.
file()
{
	yes large | head -c 600000 >"$1"
	[ $# -eq 1 ] || printf %s "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>"$T/dd"
}

mkdir -p d/e
i=10
while [ $i -lt 30 ]; do
	file d/same$i
	i=$((i + 1))
done
# Two contents that differ from that behind the head, and one that nothing equals.
file other1 300000 x
file d/e/other2 300000 x
file last1 580000 x
file d/last2 580000 x
file alone 310000 y
# Names of one inode, one of a file with copies.
file d/linked
ln d/linked d/e/linked
# Not beside others: a hole in its middle.
file hole
truncate -s 200000 hole
truncate -s 3000000 hole
yes large | head -c 5000 >>hole
cp hole d/hole
scan --verify --racy-window 0s .
out_has 'verified    28 files byte by byte'
out_has 'duplicates  4 sets'
rows "SELECT substr(name, 1, 4) || ' ' || count(*) || ' ' || count(verified) || ' ' || count(DISTINCT hash) FROM file_view
	GROUP BY substr(name, 1, 4)"
out <<'END'
alon 1 0 1
hole 2 2 1
last 2 2 1
link 2 2 1
othe 2 2 1
same 20 20 1
END
run 0 check -q
rows "SELECT name, head, hash FROM file_view ORDER BY name"
cp "$T/out" "$T/beside"
run 0 --db "$T/plain.db" --secret-from "$TWINDEX_DB" scan .
run 0 --db "$T/plain.db" sql --no-header "SELECT name, head, hash FROM file_view ORDER BY name"
cmp "$T/beside" "$T/out" || fail 'other hashes'
