# SPDX-License-Identifier: MIT
# man, version and license print to a pipe and need no index; man knows four pages, the others take no operands.
. "$srcdir/tests/cli/lib.sh"

run 0 man
cmp -s "$srcdir/man/twindex.1" "$T/out" || fail 'man is not man/twindex.1'
run 0 man schema
cmp -s "$srcdir/man/twindex-schema.5" "$T/out" || fail 'man schema is not man/twindex-schema.5'
run 0 man shell
cmp -s "$srcdir/man/twindex-shell.1" "$T/out" || fail 'man shell is not man/twindex-shell.1'
run 0 man json
cmp -s "$srcdir/man/twindex-json.5" "$T/out" || fail 'man json is not man/twindex-json.5'
run 0 help --schema
cmp -s "$srcdir/man/documents.json" "$T/out" || fail 'help --schema is not man/documents.json'
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
err_has "'man', 'man schema', 'man shell' and 'man json' are all"
run 2 man schema shell
[ ! -e "$TWINDEX_DB" ] || fail 'an index was made'
