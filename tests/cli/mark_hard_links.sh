# SPDX-License-Identifier: MIT
# The names of one inode are one copy: a link does not save a content, and frees nothing by itself.
. "$srcdir/tests/cli/lib.sh"

mkdir d
printf 'same' >d/a1
ln d/a1 d/a2
printf 'same' >d/b
scan d
run 0 mark drop d/a1
run 0 marks -c "$T/work/"
out <<'END'
      drop         4 B  d/a1
1 to drop, 0 B to be freed on disk
END
run 0 mark drop d/a2
run 0 marks --json
out_has '"frees":4,'
run 1 mark drop d/b
# The other way round: the one of another inode first.
run 0 mark clear d
run 0 mark drop d/b
run 1 mark drop d/a1
err_has 'the last copy'
run 3 mark drop d
run 0 marks -c "$T/work/"
out <<'END'
      drop         4 B  d/b
1 to drop, 4.0 KiB to be freed on disk
END
# A name outside of the index keeps an inode alive on the disk.
run 0 mark clear d
ln d/b elsewhere
scan d
run 0 mark drop d/b
run 0 marks
out_has '1 to drop, 0 B to be freed on disk'
# Where times alone tell, a link may have gone since the scan: what counts is how many there are now.
scan --trust-mtime d
rm elsewhere
run 0 marks
out_has '1 to drop, 4.0 KiB to be freed on disk'
run 0 report --json d
out_has '"redundant":4'
