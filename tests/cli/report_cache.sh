# SPDX-License-Identifier: MIT
# In the sums of report, du and waste a copy in a cache can go where one lasts longer, which then has to stay.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/.cache/app a/.cache/other b
printf 'photo 1' >a/1
cp a/1 a/.cache/app/1
printf 'photo two' >a/2
cp a/2 b/2
cp a/2 a/.cache/app/2
printf 'cached' >a/.cache/app/c
cp a/.cache/app/c a/.cache/other/c
scan .

run 0 report -c "$T/work/"
out <<'END'
3 copies of 9 B each, 18 B redundant
  a/.cache/app/2 (in a cache)
  a/2
  b/2

2 copies of 7 B each, 7 B redundant
  a/.cache/app/1 (in a cache)
  a/1

2 copies of 6 B each, 6 B redundant
  a/.cache/app/c
  a/.cache/other/c

3 sets, 7 files, 31 B redundant
END
run 0 report --format ndjson
out_has "a/.cache/app/2\",\"kind\":\"copy\",\"why\":\"in a cache\""
# Every place has what rm could remove there alone.
below() { run 0 du --json "$1"; out_has "\"total\":{\"path\":\"$T/work/$1\",\"files\":$2,\"bytes\":$3,\"duplicated\":$4,\"share\":$5,\"redundant\":$6}"; }
below a/.cache 4 28 28 100.0 22
below a 6 44 37 84.0 31
below b 1 9 9 100.0 9
run 0 du --json
out_has '"files":7,"bytes":53,"duplicated":46,"share":86.7,"redundant":31}'

run 1 rm -n -r --include-hidden a/.cache
out_has 'would remove 3 files'
run 0 rm -n -r b
out_has 'would remove 1 file'
run 1 rm -n a/1
# Where nothing lasts, one copy of each place has to stay, and they are no set.
rm a/1
mkdir -p b/.snapshots/1/snapshot
cp a/.cache/app/1 b/.snapshots/1/snapshot/1
scan .
run 0 report --min-size 7 -c "$T/work/"
out_lacks 'app/1'
run 0 du --json b/.snapshots
out_has '"duplicated":0,"share":0.0,"redundant":0}'
