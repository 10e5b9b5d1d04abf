# SPDX-License-Identifier: MIT
# uniques, dups, ls, file and contained: what an overlay shows of a file is no proven copy of it.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux file systems by type

overlay
mkdir fs/lower/d real
# All of it in memory, where the overlay is.
mount -t tmpfs none real
printf 'one' >fs/lower/d/1
printf 'two' >fs/lower/2
scan fs/merged fs/lower
for question in uniques dups; do
	run 3 $question fs/lower
	out </dev/null
	err_has 'not judged: 2 unknown'
	run 3 $question fs/merged/d
	err_has 'not judged: 1 unknown'
done
run 1 file fs/lower/2
out_has 'unknown'
out_has '(another copy may be the same file, seen through an overlay or a FUSE program)'
run 3 contained fs/lower fs/merged
err_has 'A and B may be two views of the same files'
# Without what the overlay shows all is known; and so it is with a real copy.
run 0 uniques fs/lower -x fs/merged -c "$T/work/"
out <<'END'
fs/lower/2
fs/lower/d/1
END
run 0 uniques fs/merged -x fs/lower
out_has fs/merged/2
cp fs/lower/d/1 real
scan real
run 3 uniques fs/lower
err_has 'not judged: 1 unknown'
run 0 file fs/lower/d/1
run 0 contained fs/lower/d real
run 0 contained fs/lower/d .
err_lacks twindex
# Nor of many names at once, or of an overlay by another one's.
for i in 1 2 3 4 5 6 7 8 9; do
	cp fs/lower/2 fs/lower/2.$i
done
scan fs
run 0 uniques fs/lower -x fs/lower/d
cp fs/lower/2 real
run 0 forget fs/lower
run 1 file fs/lower/d/1 -x real
out_has 'unknown'
scan real
run 0 file fs/merged/2
for i in 1 2 3 4 5 6 7 8 9; do
	rm fs/lower/2.$i
	cp real/2 real/2.$i
done
rm fs/lower/d/1
scan fs/merged real
run 3 uniques real --in fs/merged
err_has 'unknown'
# So it is in another index.
scan --db "$T/low.db" --secret-from "$TWINDEX_DB" fs/lower
run 3 uniques --db "$T/low.db" fs/lower --with "$TWINDEX_DB" -x real
err_has 'not judged: 1 unknown'
run 0 dups --db "$T/low.db" fs/lower --with "$TWINDEX_DB" -c "$T/work/"
out <<'END'
fs/lower/2
END
