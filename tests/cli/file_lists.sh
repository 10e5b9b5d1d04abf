# SPDX-License-Identifier: MIT
# Paths come from a file or standard input, one a line or each with a NUL byte.
. "$srcdir/tests/cli/lib.sh"

nl='
'
printf 'same' >a
printf 'same' >"b${nl}c"
printf 'lone' >d
scan .
printf 'a\nd\n\n' >"$T/list"
run 1 file --files-from "$T/list" -c "$T/work/" --format null
printf 'a\0b\nc\0\0d\0' >"$T/want0"
cmp -s "$T/want0" "$T/out" || {
	od -c "$T/out"
	fail 'wrong list'
}
printf 'a' | "$TWINDEX" file --files-from - >"$T/out" || fail 'standard input'
out_has "dup  $T/work/a"
printf 'b\nc\0a\0' | "$TWINDEX" file --files0-from - >"$T/out" || fail 'NUL bytes from standard input'
printf 'b\nc\0' >"$T/list0"
run 0 file --files0-from "$T/list0" a
run 2 file --files-from "$T/nowhere"
printf 'nowhere\n' >"$T/list"
run 2 file --files-from "$T/list"
err_has 'does not exist'
# What was made for --files0-from, or no text at all, is refused as a whole, not answered in part.
printf 'a\nb\0d\n' >"$T/list"
run 2 file --files-from "$T/list"
out </dev/null
err_has "'$T/list': line 2 has a NUL byte, which no file name can have"
