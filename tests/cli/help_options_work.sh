# SPDX-License-Identifier: MIT
# Every option that the help of a command shows is taken by it.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
scan .
for c in scan report ls dups uniques file du waste tree where refresh hash info forget check sql help man version license; do
	run 0 help $c
	sed -n 's/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p' "$T/out" >"$T/options"
	[ -s "$T/options" ] || fail "no options in the help of $c"
	while read -r o; do
		printf '%s %s --help\n' $c "$o"
	done <"$T/options" >>"$T/script"
done
# In one shell, which as many programs would take ten times as long as; it comes to the last of them.
echo 'ls --xyzzy' >>"$T/script"
run 2 shell -k -f "$T/script" </dev/null
[ "$(grep -c 'unknown option' "$T/err")" -eq 1 ] || fail "$(grep 'unknown option' "$T/err")"
err_has "unknown option '--xyzzy'"
