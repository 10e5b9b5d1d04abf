# SPDX-License-Identifier: MIT
# The options of a root are stored: scan without arguments applies each root's own.
. "$srcdir/tests/cli/lib.sh"

mkdir one two
for d in one two; do
	printf 'visible' >$d/v
	printf 'hidden' >$d/.h
	printf 'object' >$d/x.o
	printf '1' >$d/small
done
scan --exclude '*.o' one
scan --no-hidden --min-size 2 --max-size 1M two
printf 'later' >one/.later
printf 'later' >two/.later
scan
rows "SELECT substr(path, length('$T/work/') + 1) FROM file_view ORDER BY path"
out <<'END'
one/.h
one/.later
one/small
one/v
two/v
two/x.o
END
run 0 info
out_line "root        $T/work/one  (--exclude \*\.o)"
out_line "root        $T/work/two  (--no-hidden --min-size 2 --max-size 1048576)"
# Given again with other options, the root has those; the files that they leave out go.
scan --no-hidden --min-size 2 one
scan
rows "SELECT substr(path, length('$T/work/') + 1) FROM file_view WHERE path LIKE '%/one/%' ORDER BY path"
out <<'END'
one/v
one/x.o
END
# Named without options, it keeps them.
scan one
rows "SELECT min_size FROM root_view WHERE path = '$T/work/one'"
out <<'END'
2
END
