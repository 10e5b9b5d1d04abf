# SPDX-License-Identifier: MIT
# --min-size and --max-size with units; the limits themselves are taken.
. "$srcdir/tests/cli/lib.sh"

head -c 1023 /dev/zero >below
head -c 1024 /dev/zero >exact
head -c 2048 /dev/zero >upper
head -c 2049 /dev/zero >above
: >empty
names() { rows 'SELECT name FROM file_view ORDER BY name'; rm -f "$TWINDEX_DB"*; }

scan --min-size 1k --max-size 2KiB .
out_line 'skipped     2 below --min-size, 1 above --max-size'
run 0 ls -c "$T/work/"
out <<'END'
   skipped  above (above --max-size)
   skipped  below (below --min-size)
   skipped  empty (below --min-size)
    unique  exact
    unique  upper
END
names
out <<'END'
exact
upper
END
scan -m 1.024kB .
names
out <<'END'
above
exact
upper
END
scan --max-size 1023 .
names
out <<'END'
below
empty
END
scan --minsize 1 --max-size 1GiB .
names
out <<'END'
above
below
exact
upper
END
