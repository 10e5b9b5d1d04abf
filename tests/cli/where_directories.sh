# SPDX-License-Identifier: MIT
# where DIR...: only at and below these, each file once; directories above roots are not found; -x leaves out.
. "$srcdir/tests/cli/lib.sh"

mkdir -p up/r1/in/up up/r2 r3/.h/r4 gone
for f in up/r1/f up/r1/in/f up/r2/f r3/f r3/.h/r4/f; do printf '%s' $f >$f; done
scan up/r1 up/r2 r3
scan r3/.h/r4
found() { run "$@" -c "$T/work/"; }
found 0 where f
out <<'END'
r3/f
r3/.h/r4/f
up/r1/f
up/r1/in/f
up/r2/f
END
found 0 where f up/r1/in up/r1 r3/.h up/r1
out <<'END'
r3/.h/r4/f
up/r1/f
up/r1/in/f
END
found 0 where up
out <<'END'
up/r1/in/up/
END
found 0 where r1
out <<'END'
up/r1/
END
found 0 where r1 up/r1
found 1 where r1 r3
found 0 where f -x up/r1 -x r3 up
out <<'END'
up/r2/f
END
run 2 where f gone
err_has 'not in the index'
run 2 where f nothing
err_has 'does not exist'
run 2 where f r3/f
err_has 'is no directory of the index'
