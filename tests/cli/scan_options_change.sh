# SPDX-License-Identifier: MIT
# A root that is given with other options has them from then on, although nothing in its directory has changed.
. "$srcdir/tests/cli/lib.sh"

mkdir -p sub/.h
printf 'x' >sub/.h/f
scan --no-hidden .
scan --hidden .
rows 'SELECT hidden FROM root_view'
out <<'END'
1
END
scan
run 0 ls -c "$T/work/"
out <<'END'
    unique  sub/.h/f
END
