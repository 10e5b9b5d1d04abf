# SPDX-License-Identifier: MIT
# A directory that is gone with all that the index had in it does not exist; one that is offline is told so.
. "$srcdir/tests/cli/lib.sh"

mkdir -p t/b/s r/empty q/sub
printf '1' >t/b/s/f
printf '2' >t/g
scan t r q
rm -rf t/b
mv r away
run 0 refresh t
for c in file ls dups uniques; do
	run 2 $c t/b -c "$T/work/"
	err_has "'$T/work/t/b' does not exist"
	out </dev/null
done
run 2 ls t/b t -c "$T/work/"
out_has 'unique  t/g'
# Its rows are still there.
run 0 ls t
for d in r r/empty; do
	run 1 file $d -c "$T/work/"
	out_has "unknown  $d (offline: as of the last scan)"
	run 0 ls $d -c "$T/work/"
	out_has "unknown  $d (offline: as of the last scan)"
	run 3 uniques $d
	err_has '1 directory offline (as of the last scan)'
	run 3 dups $d
done
# What is there and empty needs no word.
run 0 file q
run 0 uniques q/sub
# Something else than a directory now.
rmdir q/sub
mkfifo q/sub
run 1 file q/sub -c "$T/work/"
out_has 'skipped  q/sub (not a regular file)'
