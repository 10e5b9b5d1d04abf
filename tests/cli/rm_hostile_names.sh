# SPDX-License-Identifier: MIT
# ACT-10: names of all bytes and lengths go, and nothing else does; a name of ours that is taken is not replaced.
. "$srcdir/tests/cli/lib.sh"

long=$(printf '%0255d' 7)
mkdir d e
i=0
for name in "$(printf 'nl\nrm -rf x')" "$(printf 'bad\377\376')" '-rf' '--' '$(touch P)' '`touch P`' "sq';touch P; #" '"' '\' '*' \
	' lead' 'trail ' "$(printf 'tab\there')" "$(printf '\033]0;PWNED\007')" "$long"; do
	i=$((i + 1))
	printf 'content %s' $i >"d/$name" || skip 'not all names are possible here'
	cp "d/$name" e/$i
done
printf 'mine' >d/.twindex-rm-0123456789abcdef
scan .
# A link of the real names would be the shell's work: by directory, and each by itself.
run 0 rm "d/$long" "$(printf 'd/bad\377\376')" --yes -q
[ ! -e "d/$long" ] || fail 'a long name stays'
run 1 rm -r d --yes -q
[ "$(ls -A d)" = .twindex-rm-0123456789abcdef ] || fail "left: $(ls -A d)"
[ ! -e P ] && [ "$(ls e | wc -l)" -eq 15 ] || fail 'something else happened'
# One line an act, whatever the name.
[ "$(grep -c '^remove' "$TWINDEX_DB-acts")" -eq 15 ] && [ "$(wc -l <"$TWINDEX_DB-acts")" -eq 20 ] ||
	fail "the journal: $(cat "$TWINDEX_DB-acts")"
run 0 check
