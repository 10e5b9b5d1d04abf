# SPDX-License-Identifier: MIT
# Unknown commands and options are refused with the nearest one; missing arguments are named.
. "$srcdir/tests/cli/lib.sh"

while IFS='|' read -r args says; do
	# shellcheck disable=SC2086
	run 2 $args
	err_has "$says"
	[ "$(wc -l <"$T/err")" = 1 ] || fail "not one line: $args"
	out </dev/null
done <<'END'
scna|unknown command 'scna'; did you mean 'scan'?
dup|unknown command 'dup'; did you mean 'dups'?
xyzzy|unknown command 'xyzzy': see 'twindex help'
scan --hiden|unknown option '--hiden'; did you mean '--hidden'?
report --topp 3|unknown option '--topp'; did you mean '--top'?
report --xyzzy|unknown option '--xyzzy': see 'twindex help report'
report --size 1M|unknown option '--size'; did you mean '--min-size'?
report -r .|unknown option '-r': report takes directories with all that is below them
ls -Z|unknown option '-Z': see 'twindex help ls'
report --top|option '--top' needs N
report --m 1|option '--m' is ambiguous
scan --hidden=yes|option '--hidden' takes no argument
--nope|unknown option '--nope'
--db|option '--db' needs FILE
--color mauve help|option '--color': 'mauve' is none of auto, always, never
END
[ ! -e "$TWINDEX_DB" ] || fail 'an index was made'
# A beginning that is unique will do, and -- ends the options.
printf 'x' >-x
scan -- .
run 0 report --min-s 1
run 1 file -- -x
