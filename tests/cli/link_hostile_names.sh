# SPDX-License-Identifier: MIT
# Names of all bytes and lengths are linked, by each kind of link, and come back by undo; nothing else happens.
. "$srcdir/tests/cli/lib.sh"
need_linux names that are exchanged: links need that

long=$(printf '%0255d' 7)
add()
{
	printf 'content %s' $n >"e/$1" || skip 'not all names are possible here'
	printf 'content %s' $n >d/$n
}
make()
{
	rm -rf d e
	mkdir d e
	each_hostile add
	touch -d 2001-01-01 d/*
	i=$n
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
	out_has "$((n + 3)) files $kind-linked"
	i=0
	while [ $i -lt $n ]; do
		i=$((i + 1))
		says d/$i "content $i" || fail "$kind: d/$i leads elsewhere"
	done
	[ "$(cat "d/$long")" = "content $((n + 3))" ] && says d/.twindex-link-0123456789abcdef mine || fail "$kind: another content"
	case $kind in
	hard) [ "$(find d -type f -links 2 | tr -dc / | wc -c)" = $((n + 3)) ] ;;
	soft) [ "$(find d -type l | tr -dc / | wc -c)" = $((n + 3)) ] && [ -z "$(find d -xtype l)" ] ;;
	esac || fail "$kind: $(ls -Al d)"
	run 0 check
	run 0 undo -q
	[ -z "$(find d e -type l -o -type f -links +1)" ] || fail "$kind: not undone: $(ls -Al d)"
	i=0
	while [ $i -lt $n ]; do
		i=$((i + 1))
		says d/$i "content $i" || fail "$kind: d/$i did not come back"
	done
	# shellcheck disable=SC2046 # a list of words
	[ "$(cd d && stat -c %Y $(seq $n) | uniq)" = 978307200 ] || fail "$kind: not all times came back"
	[ "$(cat "d/$long")" = "content $((n + 3))" ] || fail "$kind: the long name did not come back"
	run 0 check
done
[ ! -e P ] || fail 'something else happened'
