# SPDX-License-Identifier: MIT
# What shares its blocks with another file frees none: in report, du, waste and tree, in the plans of rm and link, and
# when they are done.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux shared blocks

# sums NAME BYTES REDUNDANT: the last du, waste or tree, to NDJSON, told that m/NAME has so many KiB.
sums()
{
	grep -q "\"path\":\"$T/work/m$1\",.*\"bytes\":$(($2 * 1024)),.*\"redundant\":$(($3 * 1024))[,}]" "$T/out" ||
		fail "$fs: not $2 KiB in m$1, $3 KiB of it redundant: $(cat "$T/out")"
}

check_report()
{
	# All in common; none; two of three; a part.
	fill 512 a >m/a1
	cp --reflink=always m/a1 m/a2
	fill 400 b >m/b1
	cp --reflink=never m/b1 m/b2
	fill 300 c >m/c1
	cp --reflink=always m/c1 m/c2
	cp --reflink=never m/c1 m/c3
	fill 200 d >m/d1
	cp --reflink=always m/d1 m/d2
	fill 64 d | dd of=m/d2 conv=notrunc 2>/dev/null
	mkdir m/p m/q
	fill 100 e >m/p/e
	cp --reflink=always m/p/e m/q/e
	cp --reflink=never m/p/e m/q/f
	sync
	scan m
	run 0 report --json
	tr '{' '\n' <"$T/out" | sed -n 's/.*"size":\([0-9]*\),.*"redundant":\([0-9]*\),"redundant_disk":\([0-9]*\).*/\1 \2 \3/p' >"$T/sets"
	for set in "$((512 * 1024)) $((512 * 1024)) 0" "$((400 * 1024)) $((400 * 1024)) $((400 * 1024))" \
		"$((300 * 1024)) $((600 * 1024)) $((300 * 1024))" "$((200 * 1024)) $((200 * 1024)) $((64 * 1024))"; do
		grep -qx "$set" "$T/sets" || fail "$fs: no set $set: $(cat "$T/sets")"
	done
	run 0 report
	out_has '2 copies of 512.0 KiB each, 512.0 KiB redundant (0 B on disk)'
	for c in du waste tree; do
		run 0 $c --format ndjson m
		sums /p 100 0
		sums /q 200 100
	done
	run 0 du --format ndjson m
	sums '' 3424 864
	# Of a part, and as of the last scan.
	run 0 du --format ndjson m/q
	sums /q 200 100
	run 0 du --no-check --format ndjson m
	sums '' 3424 1912
	# The shell keeps the numbers, and finds out more when it is asked for more.
	printf 'du --no-check m\ndu m/q\ndu m\n' | sed 's/du/& --format ndjson/' >lines
	run 0 shell <lines
	sums /q 200 100
	sums '' 3424 864
	# Their plans, and what comes of them.
	run 0 rm -n m/a2
	out_has 'would remove 1 file, 0 B on disk'
	run 0 rm -n m/b2
	out_has 'would remove 1 file, 400.0 KiB on disk'
	run 0 link --reflink -n m/a2
	out_has '1 file, 0 B'
	run 0 rm --yes m/a2
	out_has '0 B freed on disk'
	run 0 link --reflink --yes m/b2
	out_has '400.0 KiB freed on disk'
	run 0 link --reflink --yes m/b2
	out_has '0 B freed on disk'
	run 0 rm --yes m/b2
	out_has '0 B freed on disk'
	run 0 rm --yes m/c3
	out_has '300.0 KiB freed on disk'
	run 0 check
}
each_reflink_disk check_report
