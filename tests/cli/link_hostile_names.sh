# SPDX-License-Identifier: MIT
# Names of all bytes and lengths are linked, by each kind of link, and come back by undo; nothing else happens.
. "$srcdir/tests/cli/lib.sh"

long=$(printf '%0255d' 7)
mkdir d e
make()
{
	rm -rf d e
	mkdir d e
	i=0
	for name in "$(printf 'nl\nrm -rf x')" "$(printf 'bad\377\376')" '-rf' '--' '$(touch P)' '`touch P`' "sq';touch P; #" '"' '\' '*' \
		' lead' 'trail ' "$(printf 'tab\there')" "$(printf '\033]0;PWNED\007')" "$long"; do
		i=$((i + 1))
		printf 'content %s' $i >"e/$name" || skip 'not all names are possible here'
		cp "e/$name" d/$i
		touch -d 2001-01-01 d/$i
	done
	# The other way round, too: odd names become links.
	for name in "$(printf 'nl\nrm -rf x')" "$(printf 'bad\377\376')" "$long"; do
		i=$((i + 1))
		printf 'content %s' $i >"d/$name"
		cp "d/$name" e/$i
	done
	printf 'mine' >d/.twindex-link-0123456789abcdef
	scan .
}
for kind in hard soft; do
	make
	run 1 link --$kind -r d --yes
	out_has "18 files $kind-linked"
	i=0
	while [ $i -lt 15 ]; do
		i=$((i + 1))
		[ "$(cat d/$i)" = "content $i" ] || fail "$kind: d/$i leads elsewhere"
	done
	[ "$(cat "d/$long")" = 'content 18' ] && [ "$(cat d/.twindex-link-0123456789abcdef)" = mine ] || fail "$kind: another content"
	case $kind in
	hard) [ "$(find d -type f -links 2 | tr -dc / | wc -c)" = 18 ] ;;
	soft) [ "$(find d -type l | tr -dc / | wc -c)" = 18 ] && [ -z "$(find d -xtype l)" ] ;;
	esac || fail "$kind: $(ls -Al d)"
	run 0 check
	run 0 undo -q
	[ -z "$(find d e -type l -o -type f -links +1)" ] || fail "$kind: not undone: $(ls -Al d)"
	i=0
	while [ $i -lt 15 ]; do
		i=$((i + 1))
		[ "$(cat d/$i)" = "content $i" ] && [ "$(stat -c %Y d/$i)" = 978307200 ] || fail "$kind: d/$i did not come back"
	done
	[ "$(cat "d/$long")" = 'content 18' ] || fail "$kind: the long name did not come back"
	run 0 check
done
[ ! -e P ] || fail 'something else happened'
