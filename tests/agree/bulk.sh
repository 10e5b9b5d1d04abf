# SPDX-License-Identifier: MIT
# The index of a first scan that writes pages by itself is the one that SQLite writes, row by row.

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
grep -q '^#define WITH_BULK 1' "$builddir/config.h" || { echo "configured with --disable-bulk"; exit 77; }
T=$(mktemp -d) || exit 99
trap 'rm -rf "$T"' EXIT
case $CC_FLAGS in
*-fsanitize*) echo "a sanitizer's program takes no shim" ;;
*) $CC -O1 -I"$builddir" -fPIC -shared -o "$T/shim.so" "$srcdir/tests/faults/shim.c" -ldl 2>"$T/err" || { cat "$T/err"; rm -f "$T/shim.so"; } ;;
esac
"$PYTHON" -SB "$srcdir/tests/agree/bulk.py" "$TWINDEX" "$builddir/tests/agree/by_sqlite" "$T/shim.so"
