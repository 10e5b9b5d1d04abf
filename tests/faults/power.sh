# SPDX-License-Identifier: MIT
# The power fails during a scan: whatever of the unsynced writes is on the disk then, the index is
# not damaged, and the next scan makes it whole.
#
#	CUTS=60     power failures (default: 20, or 60 with EVERY_KIND=1); above 200 a large index is among what they strike
#	FIRST=1000  the seed of the first of them; KEEP=1 leaves the files behind at which one is wrong
#
# A short one is a part of make check; make check-faults runs more.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
[ -e /proc/self/fd ] || { echo "no /proc, which tells what a descriptor leads to"; exit 77; }
case $CC_FLAGS in
*-fsanitize*) echo "a sanitizer's program takes no shim"; exit 77 ;;
esac

few=20
[ -z "${EVERY_KIND:-}" ] || few=60
T=$(mktemp -d) || exit 99
trap 'rm -rf "$T"' EXIT
$CC -O1 -I"$builddir" -fPIC -shared -o "$T/disk.so" "$srcdir/tests/faults/disk.c" -ldl 2>"$T/err" ||
	{ cat "$T/err"; echo "no shim can be made for this C library"; exit 77; }
"$PYTHON" -SB "$srcdir/tests/faults/power.py" "$TWINDEX" "$T/disk.so" "${CUTS:-$few}" "${FIRST:-1}"
