# SPDX-License-Identifier: MIT
# --verify compares copies byte by byte, remembers it, and reads what it can't trust again.
. "$srcdir/tests/cli/lib.sh"

# verified NAME...: these are, and no others.
verified()
{
	rows "SELECT name FROM file_view WHERE verified IS NOT NULL ORDER BY name"
	printf '%s\n' "$@" >"$T/verified"
	out <"$T/verified"
}

# content SIZE TEXT: so many bytes, all of the text again and again.
content()
{
	yes "$2" | head -c "$1"
}

printf 'same' >a
printf 'same' >b
ln b c
printf 'else' >d
# One inode with two names is no copy of itself: nothing is to be compared.
printf 'link' >e
ln e f
# One of each way: read again, with a head, too large for the walk, too large for one read.
for size in 3000 9000 140000 600000; do
	content $size x >g$size
	content $size x >h$size
	content $((size - 1)) x >i$size
	printf '!' >>i$size
	content $size x >j$size
done
all='a b c'
for k in g h j; do
	all="$all ${k}140000 ${k}3000 ${k}600000 ${k}9000"
done
scan --verify .
out_has 'verified    15 files byte by byte'
out_has 'duplicates  5 sets'
verified $all
run 0 report --format fdupes -c "$T/work/"
out_has a
out_lacks d

# Again there is nothing to compare.
scan --verify
out_lacks verified
run 0 check -q

# A row that is written anew was not compared; the others were.
content 9000 x >h9000.new
mv h9000.new h9000
scan
verified $(echo " $all " | sed 's/ h9000 / /')
scan --verify
out_has 'verified    3 files byte by byte'
verified $all

# What a scan without it has read is compared by the next one with it; the same as if at once.
rm "$TWINDEX_DB"
scan .
rows 'SELECT count(*) FROM file_view WHERE verified IS NOT NULL'
out <<'DONE'
0
DONE
scan --verify
out_has 'verified    15 files byte by byte'
verified $all
for threads in 1 3; do
	rm "$TWINDEX_DB"
	scan --verify --threads $threads .
	out_has 'verified    15 files byte by byte'
	verified $all
done
