# SPDX-License-Identifier: MIT
# Many copies of one content, and more files than may be open at a time, go all the same.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >e/0
i=0
while [ $i -lt 150 ]; do
	i=$((i + 1))
	printf 'same' >d/same-$i
	printf 'content %s' $i >d/$i
	printf 'content %s' $i >e/$i
done
scan .
(ulimit -n 40 && exec "$TWINDEX" rm -r d --yes) >"$T/out" 2>"$T/err" || fail "status $?: $(head -n 3 "$T/err")"
out_has '300 files removed'
[ -z "$(ls d)" ] && [ "$(ls e | wc -l)" -eq 151 ] || fail 'not all are gone'
run 0 check
