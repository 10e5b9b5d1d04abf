# SPDX-License-Identifier: MIT
# Every call that the program makes fails once, in turn, and scans are killed:
# nothing dies, nothing false is said, and the next scan makes the index whole.
# The same with rm, links and undo (acts.py, by strace), and with what deletes the only copy elsewhere
# (hazards.py): no content is lost.  Each part says in one line what it tried, and how much was wrong.
#
#	FAULTS=60   so many first and last calls of each kind and command, and some between; 0: all
#	KILLS=200   so many scans are killed
#	COMMANDS    of faults.py; all of them by default
#
# Run by make check-faults.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
case $CC_FLAGS in
*-fsanitize*) echo "a sanitizer's allocator can't be replaced"; exit 77 ;;
esac

T=$(mktemp -d) || exit 99
trap 'rm -rf "$T"' EXIT
$CC -O1 -I"$builddir" -fPIC -shared -o "$T/shim.so" "$srcdir/tests/faults/shim.c" -ldl 2>"$T/err" ||
	{ cat "$T/err"; echo "no shim can be made for this C library"; exit 77; }
status=0
tried()
{
	"$PYTHON" -SB "$@" || status=1
}

old_ifs=$IFS IFS=,
# shellcheck disable=SC2086
tried "$srcdir/tests/faults/faults.py" "$TWINDEX" "$T/shim.so" "${FAULTS:-60}" "${KILLS:-200}" ${COMMANDS:-}
IFS=$old_ifs
[ -n "${COMMANDS:-}" ] || {
	! command -v strace >/dev/null || tried "$srcdir/tests/faults/acts.py" "$TWINDEX" "${FAULTS:-60}"
	tried "$srcdir/tests/faults/hazards.py" "$TWINDEX"
}
exit $status
