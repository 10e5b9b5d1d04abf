# SPDX-License-Identifier: MIT
# link --soft: a relative symbolic link, also to another directory's copy; the name leaves the index.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/sub e/other
printf 'same' >d/sub/1
printf 'same' >e/other/copy
printf 'near' >d/2
printf 'near' >d/sub/near
scan .
need_linux names that are exchanged: links need that
run 0 link --soft d/sub/1 --yes
out_has "soft-linked: $T/work/d/sub/1"
[ "$(readlink d/sub/1)" = ../../e/other/copy ] || fail "leads to: $(readlink d/sub/1)"
[ "$(cat d/sub/1)" = same ] || fail 'another content'
run 0 link --soft d/sub/near --yes
[ "$(readlink d/sub/near)" = ../2 ] || fail "leads to: $(readlink d/sub/near)"
run 0 check
rows "SELECT name FROM file_view ORDER BY name"
out <<'END'
2
copy
END
run 0 scan -n .
out_has '0 new, 0 changed, 0 gone, 2 unchanged'
# What is a copy no longer stays.
run 1 rm e/other/copy --yes
out_has 'unique'
[ "$(ls -A d/sub)" = '1
near' ] || fail "left: $(ls -A d/sub)"
