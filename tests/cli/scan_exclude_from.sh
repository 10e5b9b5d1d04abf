# SPDX-License-Identifier: MIT
# --exclude-from reads globs, one a line, without comments and empty lines; a file that is not there is an error.
. "$srcdir/tests/cli/lib.sh"

printf '# comment\n\n*.tmp\n/cache' >"$T/globs"
mkdir cache sub
printf a >a.tmp
printf b >cache/b
printf c >sub/c.tmp
printf d >sub/cache
scan --exclude-from "$T/globs" .
rows 'SELECT name FROM file_view'
out <<'END'
cache
END
run 0 ls -c "$T/work/"
out <<'END'
   skipped  a.tmp (excluded by a pattern)
   skipped  cache (excluded by a pattern)
   skipped  sub/c.tmp (excluded by a pattern)
    unique  sub/cache
END
printf '*\n' | "$TWINDEX" -q scan --exclude-from - . || fail 'standard input'
rows 'SELECT count(*) FROM file_view'
out <<'END'
0
END
run 2 scan --exclude-from "$T/nowhere" .
err_has "$T/nowhere"
