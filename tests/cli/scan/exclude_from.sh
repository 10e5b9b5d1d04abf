# SPDX-License-Identifier: MIT
# --exclude-from reads a gitignore file: comments, blanks at line ends, ! that takes back; no file, no scan.
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

# The last pattern that matches decides; what lies in a directory that is left out stays out.
mkdir -p n/out n/in
for f in n/a.log n/keep.log n/out/keep.log n/in/b.log n/in/keep.log 'n/!odd' 'n/blank '; do
	printf x >"$f"
done
printf '*.log  \r\n!keep.log\t\n/out/\n\\!odd\nblank\\ \n' >"$T/globs"
scan --exclude-from "$T/globs" n
rows "SELECT name FROM file_view WHERE path LIKE '%/n/%' ORDER BY path"
out <<'END'
keep.log
keep.log
END
run 0 ls -c "$T/work/" n
out_has '   skipped  n/a.log (excluded by a pattern)'
out_has '   skipped  n/out (excluded by a pattern)'
# Given by themselves, in their order, and kept with the root.
scan --exclude '!keep.log' --exclude '*.log' n
rows "SELECT count(*) FROM file_view WHERE name = 'keep.log'"
out <<'END'
0
END
run 0 info
out_line "root        $T/work/n  (--exclude !keep\.log --exclude \*\.log)"
