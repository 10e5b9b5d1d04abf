# SPDX-License-Identifier: MIT
# Without an index every question says how to get one, and makes none.
. "$srcdir/tests/cli/lib.sh"

printf 'x' >x
for command in report ls dups uniques 'file x' info check 'sql select' refresh 'forget x' 'mark drop x' 'mark undo' marks 'hash -k x'; do
	# shellcheck disable=SC2086
	run 5 $command
	err_has 'run twindex scan first'
	[ "$(wc -l <"$T/err")" = 1 ] || fail "more than one line: $command"
	out </dev/null
done
for f in "$TWINDEX_DB" "$TWINDEX_DB-lock" "$TWINDEX_DB-wal"; do [ ! -e "$f" ] || fail "$f was made"; done
run 5 --db "$T/no/such/dir/i.db" report
[ ! -e "$T/no" ] || fail 'directories were made'
# Nor is a directory one.
mkdir "$T/dir"
for command in scan report; do
	run 5 --db "$T/dir" $command .
	err_has "'$T/dir' is a directory, not an index: name a file in it"
done
# An empty file is no index yet.
: >"$TWINDEX_DB"
run 5 report
err_has 'run twindex scan first'
scan .
run 0 report
