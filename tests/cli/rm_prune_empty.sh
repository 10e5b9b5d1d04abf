# SPDX-License-Identifier: MIT
# rm --prune-empty removes directories that became empty, up to what was named, never a root of the index.
. "$srcdir/tests/cli/lib.sh"

mkdir -p r/d/x/y r/d/z r/d/was-empty e
printf 'one' >r/d/x/y/1
printf 'two' >r/d/z/2
printf 'only' >r/d/z/u
printf 'one' >e/1
printf 'two' >e/2
scan r e
run 1 rm -r r/d --yes --prune-empty -v
out_has "removed: $T/work/r/d/x/y (empty directory)"
out_has ', and 2 directories'
[ ! -e r/d/x ] && [ -e r/d/z/u ] && [ -e r/d/was-empty ] || fail "left: $(find r)"
run 0 check
rows "SELECT count(*) FROM dir_view WHERE path LIKE '%/x%'"
out <<'END'
0
END
# The root stays, and what lies above what was named.
mkdir -p r2/sub/deep
printf 'one' >r2/sub/deep/1
scan r2
run 0 rm r2/sub/deep/1 --yes --prune-empty
[ -d r2/sub/deep ] || fail 'above a file that was named'
printf 'one' >r2/1
scan r2
run 0 rm -r r2 --yes --prune-empty
[ -d r2 ] || fail 'a root was removed'
