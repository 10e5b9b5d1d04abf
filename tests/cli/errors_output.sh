# SPDX-License-Identifier: MIT
# Output that could not be written is an error (6), whatever the command; a reader that has enough is none.
. "$srcdir/tests/cli/lib.sh"

[ -c /dev/full ] || skip 'no /dev/full'
i=0
while [ $i -lt 200 ]; do
	printf 'same' >a_name_of_some_length_$i
	i=$((i + 1))
done
scan .
for command in 'scan' 'report' 'report --json' 'report -0' marks 'marks --json' 'ls' 'ls --format csv' 'dups -v' 'uniques --json' \
	'file a_name_of_some_length_1' 'hash a_name_of_some_length_1' info check 'sql SELECT/**/1' 'sql SELECT/**/path/**/FROM/**/file_view' help 'help scan' man version license refresh; do
	# shellcheck disable=SC2086
	"$TWINDEX" $command >/dev/full 2>"$T/err"
	got=$?
	[ $got -eq 6 ] || fail "$command >/dev/full: exit status $got"
	[ "$(wc -l <"$T/err")" = 1 ] || fail "$command >/dev/full: $(cat "$T/err")"
	# shellcheck disable=SC2086
	"$TWINDEX" $command >&- 2>"$T/err"
	got=$?
	[ $got -eq 6 ] || fail "$command >&-: exit status $got"
done
run 0 check
for command in 'ls -v' report 'dups -v --json'; do
	# shellcheck disable=SC2086
	"$TWINDEX" $command 2>"$T/err" | head -n 1 >/dev/null
	[ ! -s "$T/err" ] || fail "$command | head: $(cat "$T/err")"
done
# Closed standard input and error are not taken for files.
"$TWINDEX" scan <&- 2>&- >"$T/out" || fail 'closed standard streams'
run 0 check
