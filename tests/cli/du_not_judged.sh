# SPDX-License-Identifier: MIT
# du, waste and tree say what lies in the directory and is not in their numbers, and exit with 3; so does uniques above roots.
. "$srcdir/tests/cli/lib.sh"

mkdir -p t/d/.git t/e/shut t/beside/deep/root
printf 'same' >t/d/a
printf 'same' >t/e/a
printf 'hidden' >t/d/.only
printf 'object' >t/d/.git/x
ln -s a t/d/link
ordinary
scan --no-hidden t/d
$as chmod 000 t/e/shut
run 3 scan -q --racy-window 0s t/e
for command in du waste tree; do
	run 3 $command t/d --bytes -c "$T/work/"
	err_has 'not judged: 1 hidden, 1 directory hidden; ignored: 1 symbolic link'
	run 3 $command t/d -v
	err_has "not judged: $T/work/t/d/.only (hidden)"
	run 3 -q $command t/d
	[ ! -s "$T/err" ] || fail 'not quiet'
	run 0 $command --no-check t/d
	[ ! -s "$T/err" ] || fail 'nothing is looked for'
	run 3 $command t/e
	err_has "unreadable $T/work/t/e/shut/ (Permission denied)"
	run 0 $command t/d -x t/d/.git -x t/d/.only
	run 0 $command t/e -x t/e/shut
done
# A directory above the roots: what lies beside them was never scanned.
printf 'never' >t/beside/file
printf 'never' >t/file
scan t/beside/deep/root
mkdir -p t/beside/other t/beside/deep/more
for command in du tree 'uniques -x t' dups; do
	run 3 $command t
	err_has '2 never scanned, 2 directories never scanned'
done
run 3 uniques -v t
err_has "not judged: $T/work/t/beside/file (never scanned)"
err_has "not judged: $T/work/t/beside/deep/more/ (never scanned)"
run 3 ls t -c "$T/work/"
out_has '   unknown  t/beside/file (never scanned)'
out_has '       dup  t/d/a'
# As of the last scan, but a disk that is not there is said to be.
mv t/e "$T/away"
run 3 du t
err_has '1 offline (as of the last scan)'
