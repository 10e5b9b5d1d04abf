# SPDX-License-Identifier: MIT
# log lists what was removed, with any bytes in its names, and not what stayed after all; a torn line is told of.
. "$srcdir/tests/cli/lib.sh"

run 5 log
mkdir d e
odd=$(printf 'tab\there \\ \303\244 \377 nl\nend')
for f in 1 2 "$odd"; do
	printf 'content %s' "$f" >"d/$f" || skip 'not all names are possible here'
	cp "d/$f" "e/$f"
done
scan .
run 0 log
out <<'END'
0 files, 0 B
END
run 0 rm -r d --yes -q
run 0 log
[ "$(grep -c '^20[0-9-]* [0-9:]*  removed ' "$T/out")" -eq 3 ] || fail "not three lines: $(cat "$T/out")"
printf '  %s\n' "$T/work/d/$odd" >"$T/line"
grep -qF "$(head -n 1 "$T/line")" "$T/out" || fail 'the name is not what it was'
out_has '3 files, '
run 0 log d/1 -v
out_has '1 file, '
out_has "stayed  $T/work/e/1"
run 0 log e/2
out_has "  $T/work/d/2"
mkdir elsewhere
run 0 log elsewhere
out_has '0 files'
rmdir elsewhere
# Nothing was ever done there.
run 2 log e d elsewhere
err_has "'$T/work/elsewhere' does not exist, and the journal has no act there"
run 0 log --days
[ "$(wc -l <"$T/out")" -eq 2 ] || fail "not one day: $(cat "$T/out")"
out_line '20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]  removed  .* 3 files'

# An act that was taken back, and a run that was cut off in the middle of a line.
printf 'remove\t77\t1\t3\t0.000000005\t644\t0\t0\t-\t%032d\t/x/undone\t/y/k\nnot\t77\t1\nend\t77\n' 0 >>"$TWINDEX_DB-acts"
printf 'remove\t78\t1\t3\t-1.999999995\t644\t0\t0\t-\t%032d\t/x/maybe\t/y/k\nremove\t78\t2\t3\t5\t6' 0 >>"$TWINDEX_DB-acts"
run 0 log
out_lacks undone
out_has '/x/maybe  (its run was killed: maybe)'
# Days are told one after another, kinds apart; what was undone no longer counts.
cp "$TWINDEX_DB-acts" "$T/acts"
{
	printf 'twindex acts 1\n'
	for run in 86400 86401 172800; do
		printf 'run\t%s000000000\trm\n' $run
		for act in 'remove 1' 'remove 2' 'hardlink 3'; do
			printf '%s\t%s000000000\t%s\t1024\t5.000000000\t644\t0\t0\t-\t%032d\t/x/%s\t/y/k\n' ${act% *} $run ${act#* } 0 ${act#* }
		done
		printf 'end\t%s000000000\n' $run
	done
	printf 'run\t172801000000000\tundo\nundo\t172801000000000\t1\t172800000000000\t2\nend\t172801000000000\n'
} >"$TWINDEX_DB-acts"
run 0 log --days
out <<'END'
1970-01-02  removed         4.0 KiB  4 files
1970-01-02  hard-linked     2.0 KiB  2 files
1970-01-03  removed         1.0 KiB  1 file
1970-01-03  hard-linked     1.0 KiB  1 file
8 files, 8.0 KiB
END
cp "$T/acts" "$TWINDEX_DB-acts"
run 0 log
err_has '1 line is not whole'
# The next run goes on behind it.
cp e/1 d/1
scan .
run 0 rm d/1 --yes
run 0 log d/1
out_has '2 files, '
[ "$(grep -c '^run' "$TWINDEX_DB-acts")" -eq 2 ] || fail 'a line was added to the torn one'
printf 'something else\n' >"$TWINDEX_DB-acts"
run 5 log
cp e/1 d/1
scan .
run 5 rm d/1 --yes
[ -e d/1 ] || fail 'an act without a journal'

# On a terminal a line for each run, with what undo takes; there it tells of many files by directories.
command -v script >/dev/null || exit 0
rm -f "$TWINDEX_DB"*
mkdir many
for f in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cp e/1 many/$f
done
scan .
run 0 rm d/1 --yes
run 0 rm -qr --yes many
terminal 80 log
out_has '1 file  d/1  undo 13'
out_has '12 files in many  undo 12'
out_has '; -v lists them'
terminal 80 log -v
out_has 'stayed  e/1'
terminal 80 undo -n
out_has '12 files in many: copies stay in e'
out_has 'at most 12 acts would be undone; -v lists them'
terminal 80 undo
out_has 'undone, files that are back:'
out_has '12 files in many: copies stay in e'
out_lacks 'undone: many/'
out_has '12 acts undone; -v lists them'
terminal 80 log
out_has '12 files in many  (undone)'
out_has '1 file  d/1  undo 1'
terminal 80 undo
out_has 'undone: d/1 (removed)'
out_has '1 act undone'
