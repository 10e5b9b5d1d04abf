# SPDX-License-Identifier: MIT
# Hidden files and directories are files like others; --no-hidden leaves them out, and is kept by its root.
. "$srcdir/tests/cli/lib.sh"

mkdir -p .d d
printf 'same' >.a
printf 'same' >.d/b
printf 'same' >d/c
scan .
out_line 'files       3 in 3 directories, 12 B'
out_lacks hidden
run 0 ls -c "$T/work/"
out <<'END'
       dup  .a
       dup  .d/b
       dup  d/c
END
run 0 info
out_line "root        $T/work"
scan --no-hidden .
out_line 'files       1 in 2 directories, 4 B'
out_line 'skipped     2 hidden'
run 0 ls -c "$T/work/"
out <<'END'
   skipped  .a (hidden)
   skipped  .d (hidden)
    unique  d/c
END
# Stored with the root.
scan
out_line 'files       1 in 2 directories, 4 B'
run 0 info
out_line "root        $T/work  (--no-hidden)"
# dupd's option takes them again.
scan --hidden .
out_line 'files       3 in 3 directories, 12 B'
scan
out_line 'files       3 in 3 directories, 12 B'
run 2 scan --hidden --no-hidden .
err_has '--hidden and --no-hidden contradict each other'
# A hidden directory is no obstacle when it is the root itself.
run 0 --db "$T/other" scan --no-hidden .d
out_line 'files       1 in 1 directory, 4 B'
