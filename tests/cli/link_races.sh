# SPDX-License-Identifier: MIT
# ACT-3 to ACT-7 for links: what changes between the comparison and the exchange stays what it is, and where it is.
. "$srcdir/tests/cli/lib.sh"
need_linux names that are exchanged: links need that

# again: d/a and e/b are equal, and the index knows it.
again()
{
	rm -rf d e
	mkdir d e
	printf 'same' >d/a
	printf 'same' >e/b
	printf 'precious' >other
	scan .
}
# alone WHY: d/a has its own inode and name, and nothing is beside it.
alone()
{
	[ "$(ls -A d)" = a ] && [ ! -L d/a ] && [ ! d/a -ef e/b ] || fail "$1: $(ls -Al d)"
}
for kind in hard soft; do
	# Another file takes the name just before the exchange.
	again
	hold renameat2 1 link --$kind d/a --yes
	mv other d/a
	resume 3
	err_has "'$T/work/d/a' stays: another file had taken its name meanwhile"
	alone "$kind, another file"
	[ "$(cat d/a)" = precious ] && [ "$(stat -c %h e/b)" = 1 ] || fail "$kind: another file was replaced"
	# The copy goes, or another takes its place.
	again
	hold renameat2 1 link --$kind d/a --yes
	rm e/b
	resume 3
	err_has "the copy '$T/work/e/b': it is gone"
	alone "$kind, no copy"
	[ "$(cat d/a)" = same ] || fail "$kind: the last copy is gone"
	again
	cp -p e/b e/other
	hold renameat2 1 link --$kind d/a --yes
	mv e/other e/b
	resume 3
	err_has "the copy '$T/work/e/b': it has changed meanwhile"
	alone "$kind, another copy"
	# A writer waits for the lease, and the act gives way.
	again
	hold renameat2 1 link --$kind d/a --yes
	(printf 'more' >>d/a) &
	writer=$!
	sleep 0.3
	resume 3
	wait $writer
	alone "$kind, a writer"
	[ "$(cat d/a)" = samemore ] && [ "$(cat e/b)" = same ] || fail "$kind: written to the wrong file"
	# The bytes differ though the times do not; a link or a directory stands in the place of the file.
	again
	touch -r d/a "$T/times"
	printf 'SAME' >d/a
	touch -r "$T/times" d/a
	run 3 link --$kind d/a --yes
	alone "$kind, changed"
	rm d/a
	mkdir d/a
	run 3 link --$kind d/a -r --yes
	[ -d d/a ] || fail "$kind: the directory is gone"
done
# Another way lies between the directory and the copy: the link would lead nowhere.
again
mkdir -p x/y
hold renameat2 1 link --soft d/a --yes
mv d x/y/d
resume 3
err_has "'$T/work/d/a' stays: the link does not lead to '$T/work/e/b' any more"
mv x/y/d d
alone 'moved directory'
# Just before the hard link is made, the copy's name leads to another file.
again
cp -p e/b e/other
hold linkat 1 link --hard d/a --yes
mv e/other e/b
resume 3
alone 'linked to another'
[ "$(stat -c %h e/b)" = 1 ] || fail "a second name is left: $(ls -Al d e)"
# Just after the exchange the name is removed, or another file or a directory takes it: that is not taken away again.
for new in '' file directory; do
	again
	hold statx 3 link --hard d/a --yes
	rm d/a
	case $new in
	file) mv other d/a ;;
	directory) mkdir d/a && mv other d/a/inside ;;
	esac
	resume 3
	aside=$(cd d && ls -d .twindex-link-* 2>/dev/null)
	case $new in
	'') alone 'removed link' && says d/a same ;;
	file) says d/a precious && says "d/$aside" same ;;
	directory) says d/a/inside precious && says "d/$aside" same ;;
	esac || fail "after the exchange a $new: $(ls -AlR d)"
	[ -z "$aside" ] || err_has "it is '$aside' in the same directory now"
	says e/b same || fail 'the copy is another'
done
