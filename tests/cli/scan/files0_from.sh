# SPDX-License-Identifier: MIT
# --files0-from takes roots that end with NUL bytes, from a file or standard input.
. "$srcdir/tests/cli/lib.sh"

nl='
'
mkdir one "new${nl}line" three
printf 'same' >one/a
printf 'same' >"new${nl}line/b"
printf 'same' >three/c
printf 'one\0new\nline\0' >"$T/list"
scan --files0-from "$T/list"
out_line 'files       2 in 2 directories, 8 B'
printf 'three' | "$TWINDEX" scan --files0-from - >"$T/out" 2>"$T/err" || fail 'standard input'
rows 'SELECT count(*) FROM root_view'
out <<'END'
3
END
: >"$T/list"
run 2 scan --files0-from "$T/list"
err_has "'$T/list' names no root"
printf 'one\0nowhere\0' >"$T/list"
run 2 scan --files0-from "$T/list"
err_has "nowhere' does not exist"
run 2 scan --files0-from "$T/missing"
err_has "$T/missing"
