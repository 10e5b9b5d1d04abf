# SPDX-License-Identifier: MIT
# One writer at a time: the second scan says who writes and exits with 4; readers go on.
. "$srcdir/tests/cli/lib.sh"

need flock timeout
printf 'same' >a
printf 'same' >b
scan .
(
	flock 9 || exit 99
	printf '4711 on somewhere\n' >&9
	run 4 scan
	err_has 'process 4711'
	out </dev/null
	run 4 scan .
	run 4 refresh
	run 4 forget a
	run 0 report --format fdupes -c "$T/work/"
	out <<'END'
a
b

END
	run 0 ls
	run 0 info
	run 0 check
) 9<>"$TWINDEX_DB-lock" || exit
scan
