# SPDX-License-Identifier: MIT
# hash --keyed prints what the index stores, and needs an index; --secret-from lets two indexes agree.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
run 5 hash -k a
err_has 'run twindex scan first'
scan .
run 0 hash --keyed a
keyed=$(cut -d ' ' -f 1 "$T/out")
rows "SELECT hash FROM file_view WHERE name = 'a'"
echo "$keyed" | out || exit
run 0 hash a
[ "$(cut -d ' ' -f 1 "$T/out")" != "$keyed" ] || fail 'the hash does not depend on the secret'
run 0 --db "$T/other" scan .
run 0 --db "$T/other" hash -k a
out_lacks "$keyed"
run 0 --db "$T/shared" --secret-from "$TWINDEX_DB" scan .
run 0 --db "$T/shared" hash -k a
out_has "$keyed"
run 5 --db "$T/fourth" --secret-from "$T/nowhere" scan .
# A path like any other: relative, as it is typed.
for typed in index.db ./index.db work/../index.db; do
	rm -f "$T/relative"*
	(cd "$T" && "$TWINDEX" --db relative --secret-from "$typed" -q scan work) || fail "--secret-from $typed"
	TWINDEX_DB=$T/relative "$TWINDEX" hash --keyed "$T/work/a" >"$T/keyed" || fail "hash with the secret of $typed"
	run 0 hash --keyed "$T/work/a"
	out <"$T/keyed"
done
