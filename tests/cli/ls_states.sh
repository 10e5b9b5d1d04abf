# SPDX-License-Identifier: MIT
# ls tells all states of a file apart, and why.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >dup1
printf 'same' >dup2
printf 'linked' >link1
ln link1 link2
printf 'quite unique' >unique
: >empty
printf 'h' >.hidden
printf 'too large here' >large
printf 'object' >x.o
ln -s dup1 symlink
mkfifo fifo
printf 'changes' >changed
printf 'goes' >gone
printf 'unreadable' >unreadable
chmod 000 unreadable
printf 'unreadablf' >shares
ordinary
run 3 scan --racy-window 0s --max-size 13 --no-hidden --exclude '*.o' .
printf 'changes now' >changed
rm gone
printf 'fresh' >later
mkdir never
printf 'x' >never/x
run 3 ls -c "$T/work/"
out <<'END'
   skipped  .hidden (hidden)
   changed  changed
       dup  dup1
       dup  dup2
     empty  empty
   skipped  fifo (special file)
      gone  gone
   skipped  large (above --max-size)
   unknown  later (not in the index: scan again)
    linked  link1
    linked  link2
   unknown  shares (a file of its size could not be read)
   skipped  symlink (symbolic link)
    unique  unique
unreadable  unreadable (Permission denied)
   skipped  x.o (excluded by a pattern)
   unknown  never (not in the index: scan again)
END
run 3 dups -c "$T/work/"
out <<'END'
dup1
dup2
END
err_has 'not judged'
run 3 uniques -c "$T/work/"
out <<'END'
unique
END
err_has '1 changed'
err_has '1 unreadable'
err_has '1 new since the scan, 1 directory new since the scan'
err_has '1 unknown'
err_has '1 hidden'
