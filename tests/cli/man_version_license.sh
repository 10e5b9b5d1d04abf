# SPDX-License-Identifier: MIT
# man, version and license print to a pipe, need no index and take no operands.
. "$srcdir/tests/cli/lib.sh"

run 0 man
cmp -s "$srcdir/man/twindex.1" "$T/out" || fail 'man is not man/twindex.1'
run 0 license
cmp -s "$srcdir/COPYING" "$T/out" || fail 'license is not COPYING'
run 0 version
out_line 'twindex [0-9].*'
out_line 'index format 4, xxh3-128'
out_line 'SQLite [0-9].*'
out_line 'xxHash [0-9].*'
cp "$T/out" "$T/version"
run 0 --version
out <"$T/version"
run 2 version x
run 2 license x
run 2 man x
[ ! -e "$TWINDEX_DB" ] || fail 'an index was made'
