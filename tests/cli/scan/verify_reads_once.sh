# SPDX-License-Identifier: MIT
# A later scan with --verify reads the files of a set side by side: each once, and once more one of them for every
# 64 others; with few descriptors all are compared, too.
. "$srcdir/tests/cli/lib.sh"
need_linux descriptors of each thread: else there are fewer others

# copies N SIZE: a scanned set of so many files of SIZE bytes.
copies()
{
	rm -rf set "$TWINDEX_DB"*
	mkdir set
	yes same | head -c "$2" >set/100
	i=1
	while [ $i -lt "$1" ]; do
		cp set/100 set/$((100 + i))
		i=$((i + 1))
	done
	scan .
}

while read -r n size read; do
	copies "$n" "$size"
	scan --verify
	out_line "verified    $n files byte by byte, $read"
done <<'END'
2 102400 200.0 KiB
3 1048576 3.0 MiB
8 307200 2.3 MiB
200 51200 9.9 MiB
END

# One that differs is read no further, and names of the file that all are compared with not at all.
if [ -n "$SQLITE3" ]; then
	copies 10 1048576
	printf x | dd of=set/103 bs=1 seek=300000 conv=notrunc 2>/dev/null
	printf x | dd of=set/107 bs=1 seek=1000000 conv=notrunc 2>/dev/null
	ln set/100 set/200
	scan
	"$SQLITE3" "$TWINDEX_DB" "UPDATE file SET hash = (SELECT hash FROM file WHERE name = '100')"
	run 3 scan --racy-window 0s --verify
	out_line 'verified    9 files byte by byte, 9.5 MiB'
	rows 'SELECT name FROM file_view WHERE hash IS NULL ORDER BY name'
	out <<-'END'
	103
	107
	END
fi

# Names of one inode have one answer.
copies 2 1048576
for one in 201 202 203; do
	ln set/101 set/$one
done
ln set/100 set/200
scan
scan --verify
out_line 'verified    6 files byte by byte, 2.0 MiB'

# Where there are few descriptors, fewer are read together.
copies 100 2048
(ulimit -n 16 && exec "$TWINDEX" scan --verify) >"$T/out" || fail "few descriptors: $?"
grep -q 'verified  *100 files' "$T/out" || fail "few descriptors: $(cat "$T/out")"
