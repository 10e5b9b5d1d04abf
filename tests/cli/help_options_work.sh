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
		case $("$TWINDEX" $c $o --help 2>&1 >"$T/out" </dev/null) in
		*'unknown option'*) fail "$c $o" ;;
		esac
	done <"$T/options"
done
