# SPDX-License-Identifier: MIT
# Where nothing of the last run can be undone, undo says how to reach the run before it.
. "$srcdir/tests/cli/lib.sh"

mkdir a b c d
for f in 1 2; do
	printf 'content %s' $f >a/$f
	cp a/$f b/$f
	cp a/$f c/$f
done
cp a/1 d/1
scan .
run 0 rm d/1 --yes
run 0 rm -r b --yes
run 0 rm -r c --yes
echo new >c/1
run 1 undo
err_lacks 'the run before'
says c/2 'content 2' || fail 'not back'
# What is left of that run is the same each time.
run 1 undo
err_has "'$T/work/c/1' is not undone: another file has its name now"
err_has "nothing of the last run can be undone: 'twindex undo 3' goes on with the run before it"
run 1 undo c
err_lacks 'the run before'
run 0 undo -n
err_lacks 'the run before'
run 1 undo 3
says b/1 'content 1' && says b/2 'content 2' && [ ! -e d/1 ] || fail 'another run'
run 1 undo
err_has "'twindex undo 2' goes on with the run before it"
run 1 undo 2
says d/1 'content 1' || fail 'not back'
# There is none before it any more.
run 1 undo
err_lacks 'the run before'
