# SPDX-License-Identifier: MIT
# ACT-10: names of all bytes and lengths go, and nothing else does; a name of ours that is taken is not replaced.
. "$srcdir/tests/cli/lib.sh"

long=$(printf '%0255d' 7)
mkdir d e
make()
{
	printf 'content %s' $n >"d/$1" || skip 'not all names are possible here'
	printf 'content %s' $n >e/$n
}
each_hostile make
printf 'mine' >d/.twindex-rm-0123456789abcdef
scan .
# A link of the real names would be the shell's work: by directory, and each by itself.
run 0 rm "d/$long" "$(printf 'd/bad\377\376')" --yes -q
[ ! -e "d/$long" ] || fail 'a long name stays'
run 1 rm -r d --yes -q
[ "$(ls -A d)" = .twindex-rm-0123456789abcdef ] || fail "left: $(ls -A d)"
[ ! -e P ] && [ "$(ls e | wc -l)" -eq $n ] || fail 'something else happened'
# One line an act, whatever the name.
[ "$(grep -c '^remove' "$TWINDEX_DB-acts")" -eq $n ] && [ "$(wc -l <"$TWINDEX_DB-acts")" -eq $((n + 5)) ] ||
	fail "the journal: $(cat "$TWINDEX_DB-acts")"
run 0 check
