# SPDX-License-Identifier: MIT
# man --raw, version and license print to a pipe and need no index; man knows seven pages, the others take no operands.
. "$srcdir/tests/cli/lib.sh"

run 0 man --raw
cmp -s "$srcdir/man/twindex.1" "$T/out" || fail 'man is not man/twindex.1'
run 0 man --raw schema
cmp -s "$srcdir/man/twindex-schema.5" "$T/out" || fail 'man schema is not man/twindex-schema.5'
run 0 man --raw rules
cmp -s "$srcdir/man/twindex-rules.7" "$T/out" || fail 'man rules is not man/twindex-rules.7'
run 0 man --raw formats
cmp -s "$srcdir/man/twindex-formats.5" "$T/out" || fail 'man formats is not man/twindex-formats.5'
run 0 man --raw export
cmp -s "$srcdir/man/twindex-export.1" "$T/out" || fail 'man export is not man/twindex-export.1'
run 0 man --raw shell
cmp -s "$srcdir/man/twindex-shell.1" "$T/out" || fail 'man shell is not man/twindex-shell.1'
run 0 man --raw json
cmp -s "$srcdir/man/twindex-json.5" "$T/out" || fail 'man json is not man/twindex-json.5'
run 0 help --schema
# It is man/documents.json, with definitions of records before the first of that.
grep -q '^		"file": {"type":"object",' "$T/out" || fail 'help --schema does not define a file'
awk '/^\t\t"verdict": / { skip = 0 } !skip; /^\t"\$defs": / { skip = 1 }' "$T/out" | cmp -s "$srcdir/man/documents.json" - ||
	fail 'help --schema is not man/documents.json besides'
run 0 license
cmp -s "$srcdir/COPYING" "$T/out" || fail 'license is not COPYING'
run 0 version
out_line 'twindex [0-9].*'
out_line 'index format 6, xxh3-128'
out_line 'SQLite [0-9].*'
out_line 'xxHash [0-9].*'
out_line 'libgcrypt .*'
out_line 'libarchive .*'
cp "$T/out" "$T/version"
run 0 --version
out <"$T/version"
run 2 version x
run 2 license x
run 2 man x
err_has "'man' has rules, formats, export, shell, schema and json"
run 2 man schema shell
[ ! -e "$TWINDEX_DB" ] || fail 'an index was made'
