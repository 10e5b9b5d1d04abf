# SPDX-License-Identifier: MIT
# On a terminal rm and link show what would go by directories, in at most ten lines that add up, and where the copies stay.
. "$srcdir/tests/cli/lib.sh"

need script
# copies N DIR...: N files of 1000 bytes, the same in each DIR.
made=0
copies() {
	n=$1
	shift
	mkdir -p "$@"
	while [ "$n" -gt 0 ]; do
		made=$((made + 1)) n=$((n - 1))
		for dir; do
			printf '%01000d' $made >"$dir/$made"
		done
	done
}
copies 30 old/docs docs
copies 20 old/pics/a old/pics/b pics
copies 4 old mixed/here
copies 3 old mixed/there
printf alone >old/alone
scan .

# shown ARG...: what a terminal gets, without empty lines.
shown() {
	HOME=$T terminal 80 "$@"
	grep . "$T/out" >"$T/shown"
	mv "$T/shown" "$T/out"
}
shown rm -rn old
out <<'END'
 160.0 KiB  40 files in old/pics: copies stay in pics
 120.0 KiB  30 files in old/docs: copies stay in docs
  28.0 KiB  7 files directly in old: copies stay in mixed
1 file stays (unique): -v lists them
would remove 77 files, 308.0 KiB on disk
END
# Of few files each is shown, with its copy; and -v shows all.
shown rm -n old/docs/1 old/pics/a/31
out <<'END'
would remove: old/docs/1
       stays: docs/1
would remove: old/pics/a/31
       stays: pics/31
would remove 2 files, 8.0 KiB on disk
END
shown rm -rnv old
out_has 'would remove: old/docs/30'
out_has 'stays: old/alone (unique)'
# Elsewhere the files are listed, as ever.
run 1 rm -rn old
out_has "would remove: $T/work/old/docs/30"
out_has "stays: $T/work/old/alone (unique)"

# Many directories whose copies lie apart: the largest ten, and the others in one line; the sums are those of all.
i=0
while [ $i -lt 14 ]; do
	i=$((i + 1))
	copies $i many/d$i p$i/x
done
copies 2 many p1
scan .
shown rm -rn many
out_has '  56.0 KiB  14 files in many/d14: copies stay in p14/x'
out_has 'in 6 other directories of many: copies stay in p5/x (5)'
lines=$(grep -c 'KiB  .* stay' "$T/out")
[ "$lines" = 10 ] || fail "$lines lines"
sums=$(awk '/ files? .*copies stay/ { n += $3; size += $1 } END { print n, size }' "$T/out")
[ "$sums" = '107 428' ] || fail "the lines add up to $sums"
out_has 'would remove 107 files, 428.0 KiB on disk'
# A terminal that does not say how wide it is.
for columns in 0 1; do
	HOME=$T terminal $columns rm -rn many
	out_has 'would remove 107 files, 428.0 KiB on disk'
done
# Names of one inode free its blocks once, where its last name goes.
ln "$(ls -d many/d12/* | head -n 1)" many/one
scan many
shown rm -rn many
out_has 'would remove 108 files, 428.0 KiB on disk'
sums=$(awk '/ files? .*copies stay/ { size += $1 } END { print size }' "$T/out")
[ "$sums" = 428 ] || fail "with links the lines add up to $sums"
# marks, rm -n and rm name the same bytes.
run 0 mark drop many
run 0 marks --drop many
out_has '108 to drop, 428.0 KiB to be freed on disk'
run 0 rm --marked -n
out_has 'would remove 108 files, 428.0 KiB on disk'
run 0 rm --marked --yes
out_has '108 files removed, 428.0 KiB freed on disk'
