# SPDX-License-Identifier: MIT
# undo makes a file of its own of a hard link also where the copy was renamed, saved anew or removed since.
. "$srcdir/tests/cli/lib.sh"

need_linux names that are exchanged: links need that
# setup TIME: three copies, of which two become links of the one in a.
setup()
{
	rm -rf a b c moved
	mkdir a b c
	printf 'some content' >a/1
	touch -d 2002-02-02 a/1
	cp -p a/1 b/1
	cp -p a/1 c/1
	chmod 640 b/1
	touch -d "$1" b/1
	scan .
	run 0 link --hard --any-attributes -r b c --keep "in:$PWD/a" --yes
	[ a/1 -ef b/1 ] && [ a/1 -ef c/1 ] || fail 'no links'
}
# undone TIME: b and c have files of their own, as they were.
undone()
{
	run 0 undo
	[ "$(stat -c '%n %a %h %y' b/1 c/1 | cut -c 1-20)" = "$(printf 'b/1 640 1 %s\nc/1 644 1 2002-02-02' "$1")" ] ||
		fail "not undone: $(ls -li b c)"
	says b/1 'some content' && says c/1 'some content' || fail 'another content'
	[ -z "$(ls -A b c | grep '^\.')" ] || fail "left: $(ls -A b c)"
	scan .
	run 0 check
	run 1 undo
}
for time in 2002-02-02 2001-01-01; do
	setup $time
	mv a moved
	undone $time
	[ "$(stat -c %h moved/1)" = 1 ] || fail 'the copy has another name'

	setup $time
	echo new >n
	mv n a/1
	undone $time
	says a/1 new || fail 'the copy has changed'

	setup $time
	rm a/1 c/1
	undone $time
done

# A killed one leaves no more than one file beside the name; recover removes it.
need strace
for time in 2002-02-02 2001-01-01; do
	for call in linkat:2 renameat2:1 renameat2:2 unlinkat:1 unlinkat:2; do
		setup $time
		mv a moved
		injected "${call%:*}" "${call%:*}:signal=SIGKILL:when=${call#*:}" -q undo || continue
		[ "$(ls -A b c | grep -c '^\.')" -le 1 ] || fail "$call: left: $(ls -A b c)"
		run 0 recover
		[ -z "$(ls -A b c | grep '^\.')" ] || fail "$call: left: $(ls -A b c)"
		undone $time
	done
done
# What was written to it meanwhile stays.
setup 2001-01-01
mv a moved
injected unlinkat unlinkat:signal=SIGKILL:when=1 -q undo || exit 0
echo more >>moved/1
run 3 recover
err_has 'stays: '
