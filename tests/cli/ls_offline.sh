# SPDX-License-Identifier: MIT
# A root that is not there now is offline: its files are not said to be gone, and what they prove is kept.
. "$srcdir/tests/cli/lib.sh"

mkdir -p disk/sub here
printf 'same' >disk/a
printf 'same' >here/b
printf 'lone' >here/c
: >disk/sub/e
scan disk
scan here
mv disk away
run 0 ls here -v -c "$T/work/"
out <<'END'
   unknown  here/b (another copy is offline)
             ???  disk/a (offline)
    unique  here/c
END
run 0 report
out_has 'No duplicates.'
run 0 ls -C disk
out <<'END'
  sub/  d a
END
run 0 ls -c "$T/work/" disk/sub
out <<'END'
     empty  disk/sub/e (offline: as of the last scan)
END
mv away disk
rm -r disk/sub
run 0 ls -C disk
out <<'END'
x sub/  d a
END
run 0 dups here -c "$T/work/"
out <<'END'
here/b
END
