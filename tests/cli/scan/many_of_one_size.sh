# SPDX-License-Identifier: MIT
# A thousand files of one size, in pairs.
. "$srcdir/tests/cli/lib.sh"

i=100
while [ $i -lt 600 ]; do
	printf 'file %s' $i >"a$i"
	printf 'file %s' $i >"b$i"
	i=$((i + 1))
done
scan .
out_line 'files       1,000 in 1 directory, 7\.8 KiB'
out_line 'duplicates  500 sets, 3\.9 KiB redundant when scanned'
run 0 report --format fdupes -c "$T/work/"
[ "$(grep -c a "$T/out")" = 500 ] || fail 'not every set is there'
awk -v RS= -F'\n' 'NF != 2 || substr($1, 2) != substr($2, 2) { bad = 1 } END { exit bad }' "$T/out" || fail 'wrong sets'
run 0 check
