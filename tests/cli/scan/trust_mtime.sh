# SPDX-License-Identifier: MIT
# With --trust-mtime a renamed, linked or chmod-ed file is not read again; a new mtime still counts.
. "$srcdir/tests/cli/lib.sh"

mkdir t u
for d in t u; do
	printf '%s same' $d >$d/a
	printf '%s same' $d >$d/b
	touch -d 2020-01-01 $d/a $d/b
done
scan --trust-mtime t
scan u
sleep 0.02
for d in t u; do
	mv $d/a $d/renamed
	chmod 600 $d/b
done
scan t
out_line 'read        0 files, 0 B'
run 0 report --format fdupes -c "$T/work/" t
out <<'END'
t/b
t/renamed

END
scan u
out_line 'read        2 files, 12 B'
printf 'x same' >t/b
scan t
out_line 'read        1 file, 6 B'
run 0 uniques -c "$T/work/" t
out <<'END'
t/b
t/renamed
END
run 0 check
