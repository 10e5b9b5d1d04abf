# SPDX-License-Identifier: MIT
# Of files that a later scan with --verify reads side by side, those that change meanwhile do not count as compared, nor
# are they said to differ; where the one that all are compared with changes, none counts.
. "$srcdir/tests/cli/lib.sh"

for set in a b; do
	mkdir $set
	for i in 0 1 2 3 4 5 6 7 8 9; do
		yes $set | head -c 600000 >$set/$i
	done
done

# The first piece of all files is read, the second one of some.
scan a
hold_path=$T/work/a/5
hold pread64 2 scan --verify
printf x | dd of=a/2 bs=1 seek=400000 conv=notrunc 2>/dev/null
printf x >>a/4
printf x | dd of=a/7 bs=1 seek=550000 conv=notrunc 2>/dev/null
mv a/8 a/9
resume 0
out_line 'verified    5 files byte by byte, .*'
rows 'SELECT name FROM file_view WHERE verified IS NOT NULL ORDER BY name'
out <<'END1'
0
1
3
5
6
END1

rm "$TWINDEX_DB"
scan b
hold_path=$T/work/b/5
hold pread64 2 scan --verify
printf x | dd of=b/0 bs=1 seek=550000 conv=notrunc 2>/dev/null
resume 0
out_lacks verified
rows 'SELECT count(*) FROM file_view WHERE verified IS NOT NULL OR hash IS NULL'
out <<'END2'
0
END2
