# SPDX-License-Identifier: MIT
# A file at the path of a root, which was a directory, belongs to the root above it: looked at, and no offline part of the former.
. "$srcdir/tests/cli/lib.sh"

mkdir -p t/a
printf 'former' >t/a/f
scan t
scan --min-size 2 t/a
rm -r t/a
printf 'A' >t/a
run 3 scan --racy-window 0s
run 0 ls -c "$T/work/" t/a
out <<'END'
    unique  t/a
    unique  t/a/f (offline: as of the last scan)
END
printf 'B' >t/a
run 0 ls -c "$T/work/" t/a
out <<'END'
   changed  t/a
    unique  t/a/f (offline: as of the last scan)
END
rm t/a
run 0 ls -c "$T/work/" t/a
out <<'END'
      gone  t/a
    unique  t/a/f (offline: as of the last scan)
END
# Forgotten are both.
run 0 forget t/a
out <<'END'
forgot 2 files in 1 directory
END
rows "SELECT count(*) FROM file_view"
out <<'END'
0
END
