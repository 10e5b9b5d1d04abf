# SPDX-License-Identifier: MIT
# A scan of an unchanged tree reuses everything and reads nothing.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d
for i in 1 2 3 4 5; do
	printf 'content' >"d/same$i"
	printf 'other %s' "$i" >"d/other$i"
done
scan .
run 0 report
cp "$T/out" "$T/before"
run 0 scan --racy-window 0s
out_line 'index       0 new, 0 changed, 0 gone, 10 unchanged'
out_line 'read        0 files, 0 B'
out_line 'duplicates  1 set, 28 B redundant when scanned'
run 0 report
out <"$T/before"
