# SPDX-License-Identifier: MIT
# A root below a directory that scans leave out is in the index: all questions count what lies beside it, and not the root itself.
. "$srcdir/tests/cli/lib.sh"

mkdir -p r/.h/x r/.h/beside copy
echo one | tee r/1 r/.h/x/1 >copy/1
scan --no-hidden r copy
scan r/.h/x
for new in '' r/new; do
	[ -z "$new" ] || echo new >"$new"
	for question in dups at-risk redundant du 'similar copy'; do
		# shellcheck disable=SC2086
		run 3 $question -v r
		err_has "not judged: $T/work/r/.h/beside/ (hidden)"
		err_has "not judged: 1 directory hidden${new:+, 1 new since the scan}"
		err_lacks "r/.h/x"
	done
done
