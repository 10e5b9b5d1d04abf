# SPDX-License-Identifier: MIT
# Symbolic links are never followed: no loops, and no file is counted by another name.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/b
printf 'same' >a/x
ln -s x a/y
ln -s . a/self
ln -s ../.. a/b/up
ln -s loop2 loop1
ln -s loop1 loop2
ln -s /nonexistent dangling
ln -s a c
scan .
out_line 'files       1 in 3 directories, 4 B'
out_line 'skipped     7 symbolic links'
run 0 ls a
out <<END
   skipped  $T/work/a/self (symbolic link)
    unique  $T/work/a/x
   skipped  $T/work/a/y (symbolic link)
   skipped  $T/work/a/b/up (symbolic link)
END
