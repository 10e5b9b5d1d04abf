# SPDX-License-Identifier: MIT
# Files of one size that differ in their first, middle or last byte only are different, small or big.
. "$srcdir/tests/cli/lib.sh"

poke() { printf X | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }
for size in 2 240 4096 5000 32769 131072 131073 300001; do
	rm -rf t "$TWINDEX_DB"*
	mkdir t
	head -c $size /dev/zero >t/plain
	cp t/plain t/copy
	cp t/plain t/first && poke t/first 0
	[ $size -lt 3 ] || { cp t/plain t/middle && poke t/middle $((size / 2)); }
	cp t/plain t/last && poke t/last $((size - 1))
	scan t
	run 0 report --format fdupes -c "$T/work/t/"
	printf 'copy\nplain\n\n' | out || exit
	run 0 check
done
