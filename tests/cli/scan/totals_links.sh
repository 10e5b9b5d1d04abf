# SPDX-License-Identifier: MIT
# The totals of a first scan count every inode once, whichever threads meet its names, and in whatever order.
. "$srcdir/tests/cli/lib.sh"

mkdir one two
printf 'same' >one/a
ln one/a one/b
ln one/a two/c
printf 'lone' >two/u
ln two/u one/v
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	rm -f "$TWINDEX_DB"*
	scan --threads 4 one two
	out_line 'duplicates  0 sets, 0 B redundant'
done
run 0 report
out <<'END'
No duplicates.
END
