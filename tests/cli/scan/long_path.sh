# SPDX-License-Identifier: MIT
# A path of more than 4096 bytes is indexed, found, read and told.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
"$PYTHON" -S - <<'END' || skip 'no long paths here'
import os
for i in range(25):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
with open("deep", "w") as f:
    f.write("same content")
END
# Python comes back by descriptors; the shell need not.
printf 'same content' >shallow
scan .
out_line 'files       2 in 26 directories, 24 B'
run 0 report --format fdupes -c "$T/work/"
[ "$(wc -l <"$T/out")" = 3 ] || fail 'not a set of two'
[ "$(wc -c <"$T/out")" -gt 5000 ] || fail 'the path is cut off'
run 0 dups
[ "$(wc -l <"$T/out")" = 2 ] || fail 'dups'
run 0 file shallow
out_has "/deep"
out_has "       dup  $T/work/shallow"
scan
out_line 'index       0 new, 0 changed, 0 gone, 2 unchanged'
run 0 refresh --racy-window 0s
out_line 'files       2 looked at, 0 gone, 0 changed'
run 0 check
