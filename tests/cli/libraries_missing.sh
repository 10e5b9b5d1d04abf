# SPDX-License-Identifier: MIT
# Where libgcrypt, ncurses and libzstd cannot be loaded digest and browse say so, and export writes Parquet files without compression.
. "$srcdir/tests/cli/lib.sh"

mkdir "$T/lib" "$T/export" a
printf 'one' >a/x
printf 'one' >a/y
scan -q a
with=${LD_LIBRARY_PATH:-}
missing() { LD_LIBRARY_PATH=$T/lib${with:+:$with} && export LD_LIBRARY_PATH; }
found() { unset LD_LIBRARY_PATH && { [ -z "$with" ] || { LD_LIBRARY_PATH=$with && export LD_LIBRARY_PATH; }; }; }
# The linker stops at the first file with the name, which is no library.
file_of() { sed -n "s/^#define $1_FILE \"\(.*\)\"$/\1/p" "$builddir/config.h"; }

gcrypt=$(file_of GCRYPT)
[ -z "$gcrypt" ] || {
	: >"$T/lib/$gcrypt"
	missing
	"$TWINDEX" version | grep -qx 'libgcrypt none' || skip 'a linker that finds libraries by other means'
	run 2 digest
	err_has 'libgcrypt, which computes digests, cannot be loaded: install it (Debian: libgcrypt20): '
	err_has "$T/lib/$gcrypt"
	run 2 scan --digest sha256 a
	err_has 'libgcrypt, which computes digests, cannot be loaded'
	run 3 digest --list
	err_has '2 files have no sha256 that holds'
	found
	run 0 digest --racy-window 0s
	missing
	run 0 digest --list
	out_has '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed'
	run 0 info
	out_line 'digests .*; there is no libgcrypt, so no more'
}

qrencode=$(file_of QRENCODE)
[ -z "$qrencode" ] || {
	: >"$T/lib/$qrencode"
	missing
	run 0 version
	out_line 'libqrencode none'
	run 0 volumes --labels
	out_has '<section>'
	out_lacks '<svg'
	found
}

curses=$(file_of CURSES)
[ -z "$curses" ] || ! command -v script >/dev/null || {
	: >"$T/lib/$curses"
	missing
	terminal 250 browse
	[ "$got" -eq 2 ] || fail "browse without ncurses: $got"
	out_has 'ncurses, which browse needs, cannot be loaded: install it (Debian: libncursesw6): '
	found
}

zstd=$(file_of ZSTD)
[ -n "$zstd" ] || skip 'no libzstd that is loaded'
need "$PYTHON" zstd
: >"$T/lib/$zstd"
for format in parquet ndjson csv; do
	missing
	run 0 export --host h --out "$T/export/$format" --format $format -w keys
	found
done
"$PYTHON" -SB "$srcdir/tests/cli/export_same.py" "$T/export" keys >"$T/rows" 2>&1 || fail "$(cat "$T/rows")"
# zstd finds frames by these bytes.
frames() { "$PYTHON" -S -c 'import sys; print(sys.stdin.buffer.read().count(b"\x28\xb5\x2f\xfd"))'; }
[ "$(find "$T/export/parquet" -name '*.parquet' -exec cat {} + | frames)" = 0 ] || fail 'compressed without libzstd'
run 0 export --host h --out "$T/export/packed" --format parquet -w keys
[ "$(find "$T/export/packed" -name '*.parquet' -exec cat {} + | frames)" != 0 ] || fail 'not compressed with libzstd'
