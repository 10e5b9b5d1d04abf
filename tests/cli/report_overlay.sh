# SPDX-License-Identifier: MIT
# report and similar: what an overlay shows may be the files below it, is no certain copy, and is told.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux file systems by type

overlay
mkdir fs/lower/d real
# What counts as a copy of what lies in memory lies there, too, wherever the test does.
mount -t tmpfs none real || skip "no tmpfs here"
printf 'one' >fs/lower/d/1
printf 'three' >fs/lower/3
scan fs/merged fs/lower
run 3 report -v
out <<END
No duplicates.
2 members may be the same files as others, seen through an overlay or a FUSE program: not counted
END
err_has "not judged: $T/work/fs/merged/d/1 (another copy may be the same file, seen through an overlay or a FUSE program)"
err_has 'not judged: 2 unknown'
run 0 du -c "$T/work/" --no-check fs --json
out_lacks '"redundant":3'
out_lacks '"redundant":5'
out_lacks '"redundant":8'
run 3 similar -v
err_has "not judged: $T/work/fs/merged/ (the directories of a pair may be two views of the same files (an overlay, or a FUSE program))"
# By itself, or without the other, it is like any file system.
cp fs/merged/3 fs/merged/copy
scan fs/merged
run 0 report fs/merged -x fs/lower -c "$T/work/"
out <<'END'
2 copies of 5 B each, 5 B redundant
  fs/merged/3
  fs/merged/copy
  skip fs/lower/3 (excluded)

1 set, 2 files, 5 B redundant
END
# Most that are certain count: both here, not the one below.
run 3 report -c "$T/work/"
out_has '  fs/merged/copy
  ??? fs/lower/3 (may be the same file as a copy)'
rm fs/merged/copy
cp fs/lower/d/1 real
scan fs/merged real
run 3 report -c "$T/work/"
out <<'END'
2 copies of 3 B each, 3 B redundant
  fs/lower/d/1
  real/1
  ??? fs/merged/d/1 (may be the same file as a copy)

1 set, 2 files, 3 B redundant
2 members may be the same files as others, seen through an overlay or a FUSE program: not counted
END
run 3 report --json
out_has '"kind":"view"'
out_has '"views":2'
# What is not asked for is not told.
run 0 report fs/lower/d -x fs/merged
err_lacks twindex
run 0 report real -x fs/merged
err_lacks twindex
run 3 report fs/merged/d
out_has 'No duplicates'
err_has '1 unknown'
run 0 similar fs/lower real
err_lacks 'same files'
