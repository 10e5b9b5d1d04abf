# SPDX-License-Identifier: MIT
# undo makes files of their own of hard and soft links again, and moves files back from the trash.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in hard soft trash; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
	chmod 640 d/$f
	touch -d 2001-01-01 d/$f
done
scan .
state() { stat -c '%n %a %u %g %s %y %h' d/*; cat d/*; ls -A d; }
state >"$T/before"
need_linux names that are exchanged: links need that
run 0 link --hard --any-attributes d/hard --yes
run 0 link --soft --any-attributes d/soft --yes
run 0 rm --trash d/trash --yes
[ d/hard -ef e/hard ] && [ -L d/soft ] && [ ! -e d/trash ] || fail 'the acts were not done'
inode=$(stat -c %i "$HOME"/.local/share/Trash/files/trash)
run 0 undo
out_has "undone: $T/work/d/trash (trashed)"
[ "$(stat -c %i d/trash)" = "$inode" ] || fail 'not the file itself'
[ -z "$(ls "$HOME"/.local/share/Trash/info)" ] || fail 'the trash has its record still'
run 0 undo 2
out_has "undone: $T/work/d/hard (hard-linked)"
out_has "undone: $T/work/d/soft (soft-linked)"
state >"$T/after"
cmp "$T/before" "$T/after" || fail "$(diff "$T/before" "$T/after")"
[ "$(stat -c %h e/hard)" = 1 ] || fail 'the copy has another name'
run 0 check
run 0 scan -n .
out_has '0 new, 0 changed, 0 gone, 6 unchanged'
