# SPDX-License-Identifier: MIT
# ACT-18: what others do while a rescue or its undo is at work is noticed: nothing is replaced, nothing false is told, no only copy goes.
. "$srcdir/tests/cli/lib.sh"

need strace
need_linux files without a name
setup()
{
	rm -rf old keep moved "$TWINDEX_DB"*
	mkdir -p old/d
	printf 'one' >old/1
	printf 'two' >old/d/2
	scan old
}
# The name of a copy is taken at the last moment.
setup
hold linkat 1 safe old --rescue keep --yes
printf 'other' >keep/1
resume 1
err_has "'$T/work/old/1' is not copied: something else has the name of its copy, '$T/work/keep/1'"
says keep/1 other && says keep/d/2 two || fail "$(ls -lR keep)"
# The original becomes another file, has another content, or is gone before its copy has a name.
for change in 'mv other old/1' 'rm old/1' 'cp -p other old/1' 'ln old/1 old/more'; do
	in_turn || continue
	setup
	printf 'ONE' >other
	touch -r old/1 other
	hold fsync 1 safe old --rescue keep --yes
	# A writer waits for the end of the lease.
	$change &
	writer=$!
	until grep -q BREAKING /proc/locks || ! kill -0 $writer 2>/dev/null; do sleep 0.01; done
	resume 3
	wait $writer
	err_has "'$T/work/old/1' is not copied: it "
	[ ! -e keep/1 ] && says keep/d/2 two || fail "$change: $(ls -lR keep)"
done
# A directory of copies is moved away, and a link is in its place.
setup
mkdir -p keep/d elsewhere
hold linkat 2 safe old --rescue keep --yes
mv keep/d moved
ln -s ../elsewhere keep/d
resume 3
err_has "'$T/work/old/d/2' is not copied: "
[ -z "$(ls elsewhere)" ] && says keep/1 one || fail "$(ls -lR keep elsewhere)"
# Undo: the original goes, changes, or becomes another file while its copy is on its way.
for change in 'rm old/1' 'mv other old/1'; do
	setup
	printf 'ONE' >other
	touch -r old/1 other
	run 0 safe old --rescue keep --yes
	hold renameat2 2 undo
	$change
	resume 1
	err_has "'$T/work/keep/1' is not undone: "
	says keep/1 one || fail "$change: the only copy is gone: $(ls -lAR keep)"
	[ -z "$(find keep -name '.*')" ] || fail "$(find keep)"
done
# The copy becomes another file.
setup
run 0 safe old --rescue keep --yes
hold renameat2 2 undo
rm keep/1
printf 'mine' >keep/1
resume 1
says keep/1 mine || fail "$(ls -lAR keep)"
