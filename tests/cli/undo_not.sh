# SPDX-License-Identifier: MIT
# What undo cannot take back it tells with the reason and status 1; it replaces nothing but the link of the act.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in gone taken back hard soft elsewhere; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
printf 'content elsewhere' >e/other
scan .
run 0 rm d/gone d/taken d/back d/elsewhere --yes
rm e/gone e/elsewhere
printf 'new' >d/taken
cp -p e/back d/back
run 1 undo
err_has "'$T/work/d/gone' is not undone: no file with its content is left"
err_has "'$T/work/d/taken' is not undone: another file has its name now"
out_has "undone: $T/work/d/elsewhere (removed)"
[ "$(cat d/taken)" = new ] && [ ! -e d/gone ] && [ "$(cat d/elsewhere)" = 'content elsewhere' ] || fail 'wrong files'
need_linux names that are exchanged: links need that
run 0 link --hard d/hard --yes
run 0 link --soft d/soft --yes
# The link's content has changed: what is there stays.
printf 'changed' >e/hard
run 1 undo 2
err_has "'$T/work/d/hard' is not undone: its content has changed since"
[ d/hard -ef e/hard ] || fail 'replaced all the same'
# Or goes on behind what it was.
printf 'content hard, and more' >d/hard
run 1 undo 1
err_has "'$T/work/d/hard' is not undone: its content has changed since"
[ d/hard -ef e/hard ] && says e/hard 'content hard, and more' || fail 'replaced all the same'
[ ! -L d/soft ] && [ "$(cat d/soft)" = 'content soft' ] || fail 'not undone'
# Another link than the act's.
run 0 link --soft d/soft --yes
ln -sf /etc/hosts d/soft
run 1 undo 1
err_has 'another file has its name now'
[ "$(readlink d/soft)" = /etc/hosts ] || fail 'replaced all the same'
[ "$(ls -A d e | grep -c '^\.')" = 0 ] || fail "left: $(ls -A d e)"
