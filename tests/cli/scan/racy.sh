# SPDX-License-Identifier: MIT
# A file that was read within the racy window is read again, and then never again.
. "$srcdir/tests/cli/lib.sh"

printf 'AAAA' >a
printf 'AAAA' >b
printf 'wide' >c
run 0 scan --racy-window 60s .
out_line 'read        3 files, 12 B'
out_lacks again
# Racy all, because they are younger than a minute.
run 0 scan --racy-window 60s
out_line 'index       0 new, 0 changed, 0 gone, 3 unchanged'
out_line 'read        3 files, 12 B'
out_line 'again       3 of these, changed shortly before reading (--racy-window)'
# Now the window is closed: once more, the last time.
run 0 scan --racy-window 0s
out_line 'read        3 files, 12 B'
run 0 scan --racy-window 0s
out_line 'read        0 files, 0 B'
out_lacks again
# What was read outside of its window stays proven, whatever window comes later.
run 0 scan
out_line 'read        0 files, 0 B'
rows 'SELECT sum(racy) FROM file_view'
out <<'END'
0
END
for wrong in '' 5x -1 1.5.2 s; do
	run 2 scan --racy-window "$wrong"
	err_has 'is not a duration'
done
