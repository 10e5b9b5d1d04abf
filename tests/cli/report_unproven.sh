# SPDX-License-Identifier: MIT
# A file that could not be read may be a copy of those of its size: report says so, with status 3, where such a set could
# be asked for.
. "$srcdir/tests/cli/lib.sh"

mkdir d e f
printf 'one of two sizes' >d/a
printf 'of another length' >e/b
cp d/a e/closed
printf 'a length of its own, and closed, too' >f/closed
ordinary
$as chmod 000 e/closed f/closed
run 3 scan --racy-window 0s d e f
# unproven ARG...: a set may be there.
unproven()
{
	run 3 report "$@"
	out <<'END'
No duplicates are known.
END
	err_has 'not judged: 1 unreadable; -v names them'
}
none()
{
	run 0 report "$@"
	out <<'END'
No duplicates.
END
	err_lacks 'not judged'
}
unproven
unproven d
unproven e
unproven --no-check
run 3 report -v
err_has "not judged: $T/work/e/closed (Permission denied)"
run 3 report --json
out_has '"verdict":"not_judged","exit":3,"not_judged":{"unreadable":1},"unfinished":false}'
# Nothing there has the size of a file that could not be read.
none f
none -x e
none --min-size 17
# Sets of others stay what they are.
cp e/b d/b
run 3 scan --racy-window 0s d e f
run 3 report
out_line '1 set, 2 files, 17 B redundant'
err_has 'not judged: 1 unreadable'
rm -f e/closed
run 0 report
