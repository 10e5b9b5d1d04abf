# SPDX-License-Identifier: MIT
# Options given for a directory and for one below it make both roots, also when neither was one before.
. "$srcdir/tests/cli/lib.sh"

roots()
{
	run 0 info
	sed -n "s|^root  *$T/work/||p" "$T/out" >"$T/roots"
	diff - "$T/roots" || fail 'these are not the roots'
}
mkdir -p t/a/s/a t/b
printf '1' >t/a/s/a/zz
printf '2' >t/a/f
printf '3' >t/b/.h
printf '4' >t/a/s/a/.i
# First scan of all three, the middle one twice; then of directories that the index knows, unchanged.
scan --exclude /zz t/a t/a/s t/a/s/a t/a/s
roots <<'ROOTS'
t/a  (--exclude /zz)
t/a/s  (--exclude /zz)
t/a/s/a  (--exclude /zz)
ROOTS
# The pattern is anchored at the inner root.
rows "SELECT substr(path, length('$T/work/') + 1) FROM file_view ORDER BY path"
out <<'ROOTS'
t/a/f
t/a/s/a/.i
ROOTS
run 0 forget t/a
scan t
scan --no-hidden t/b t
roots <<'ROOTS'
t  (--no-hidden)
t/b  (--no-hidden)
ROOTS
# They keep what they were given.
scan --hidden t
roots <<'ROOTS'
t
t/b  (--no-hidden)
ROOTS
rows "SELECT substr(path, length('$T/work/') + 1) FROM file_view ORDER BY path"
out <<'ROOTS'
t/a/f
t/a/s/a/.i
t/a/s/a/zz
ROOTS
run 0 check
