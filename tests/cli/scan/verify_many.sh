# SPDX-License-Identifier: MIT
# --verify on a set of many: all are compared with one of them, whoever shares the work.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
i=100
while [ $i -lt 400 ]; do
	printf 'same' >f$i
	i=$((i + 1))
done
ln f100 l100
ln f250 l250
printf 'else' >x300
ln x300 x400
# Links alone, and as many of them.
printf 'link' >k100
i=101
while [ $i -lt 200 ]; do
	ln k100 k$i
	i=$((i + 1))
done
scan .
"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET hash = (SELECT hash FROM file WHERE name = 'f100') WHERE name GLOB 'x*'"
# The first that could be compared with is gone, the next is another now.
rm f100 l100
printf 'diff' >f101
touch -d '2001-01-01' f101
run 3 scan --racy-window 0s --verify
out_has 'verified    299 files byte by byte'
rows "SELECT substr(name, 1, 1) || ' ' || count(*) || ' ' || count(verified) || ' ' || count(hash) FROM file_view
	WHERE name <> 'f101' GROUP BY substr(name, 1, 1)"
out <<'END1'
f 298 298 298
k 100 0 100
l 1 1 1
x 2 0 0
END1
# Nothing is forgotten by the next one, which reads again what it could not believe.
scan --verify
out_lacks verified
rows "SELECT name FROM file_view WHERE name GLOB 'f*' AND verified IS NULL"
out <<'END2'
f101
END2
run 0 check -q
