# SPDX-License-Identifier: MIT
# All names of an inode go, and its bytes with them, though there are more than one batch holds open.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >d/0
printf 'same' >e/copy
i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	ln d/0 d/$i
done
scan .
(ulimit -n 40 && exec "$TWINDEX" rm -r d --yes) >"$T/out" 2>"$T/err" || fail "status $?: $(head -n 3 "$T/err")"
out_has '41 files removed'
out_lacks ' 0 B freed on disk'
[ -z "$(ls d)" ] || fail "left: $(ls d)"
run 0 check
