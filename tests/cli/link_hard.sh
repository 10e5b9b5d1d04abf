# SPDX-License-Identifier: MIT
# link --hard: the name becomes another name of the copy, the index knows it at once, and what goes from the disk is told.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >d/1
printf 'same' >d/2
ln d/2 d/3
printf 'same' >e/other
printf 'only' >d/only
scan .
run 2 link -r d --yes
err_has 'link needs one of --hard (both names are one file'
run 2 link -r d --yes --hard --soft
run 1 link --hard -r d -n
out_has "would hard-link: $T/work/d/1"
out_has "          stays: $T/work/e/other"
out_has 'would hard-link 3 files, '
[ "$(stat -c %h e/other)" = 1 ] || fail '-n has linked'
need_linux names that are exchanged: links need that
run 1 link --hard d/1 d/2 d/only --yes
out_has "hard-linked: $T/work/d/1"
out_has "      stays: $T/work/e/other"
out_has "stays: $T/work/d/only (unique)"
out_has '2 files hard-linked, '
[ d/1 -ef e/other ] && [ d/2 -ef e/other ] && [ ! d/3 -ef e/other ] || fail 'wrong names are linked'
[ "$(stat -c %h e/other)" = 3 ] && [ "$(cat d/3)" = same ] || fail 'wrong numbers of names'
[ "$(ls -A d)" = '1
2
3
only' ] || fail "left: $(ls -A d)"
run 0 check
# The rows of all are true: nothing is read again.
run 0 scan -n .
out_has '0 new, 0 changed, 0 gone, 5 unchanged'
rows "SELECT name || nlink FROM file_view WHERE size = 4 AND name <> 'only' ORDER BY name"
out <<'END'
13
23
31
other3
END
run 1 link --hard -r d --yes -q
[ d/3 -ef e/other ] || fail 'the last one is not linked'
run 0 check
run 0 scan -n .
out_has '0 new, 0 changed, 0 gone, 5 unchanged'
run 0 log
out_has "  hard-linked         4 B  $T/work/d/1"
# Nothing is left to be linked: all are names of one.
run 1 link --hard -r d --yes
out_has '0 files hard-linked'
# Many names of one inode, acted on in one batch and taken back in one: each row is true.
rm -rf d e
mkdir d e
printf 'many' >e/other
i=0
while [ $i -lt 50 ]; do
	i=$((i + 1))
	printf 'many' >d/$i
	ln d/$i d/$i-link
done
scan .
run 0 link --hard -r d --yes -q
[ "$(stat -c %h e/other)" = 101 ] || fail 'not all are linked'
run 0 check
run 0 scan -n .
out_has '0 new, 0 changed, 0 gone, 101 unchanged'
run 0 undo -q
[ "$(stat -c %h e/other)" = 1 ] || fail 'not all are undone'
run 0 check
run 0 scan -n .
out_has '0 new, 0 changed, 0 gone, 101 unchanged'
