# SPDX-License-Identifier: MIT
# redundant on a terminal shows ten directories, the largest last; -a, -t and -v list them as everything else does.
. "$srcdir/tests/cli/lib.sh"

need script
for i in 10 11 12 13 14 15 16 17 18 19 20 21; do
	mkdir -p all/$i "copy/of $i"
	printf "%0${i}00d" "$i" >all/$i/one
	cp all/$i/one "copy/of $i"
done
printf '%05000d' 2 >all/21/two
cp all/21/two 'copy/of 21'
printf 'alone' >copy/alone
scan .
# A line for each, if the terminal is wide enough for where the copies are.
terminal 60 redundant --protect all
[ $got = 0 ] || fail "status $got"
out <<'END'
2 more: --all
   1.2 KiB  copy/of 12: its only file is also in all/12
   1.3 KiB  copy/of 13: its only file is also in all/13
   1.4 KiB  copy/of 14: its only file is also in all/14
   1.5 KiB  copy/of 15: its only file is also in all/15
   1.6 KiB  copy/of 16: its only file is also in all/16
   1.7 KiB  copy/of 17: its only file is also in all/17
   1.8 KiB  copy/of 18: its only file is also in all/18
   1.9 KiB  copy/of 19: its only file is also in all/19
   2.0 KiB  copy/of 20: its only file is also in all/20
   6.9 KiB  copy/of 21: both files are also in all/21
12 directories can go together: 13 files, 23.0 KiB to be
  freed.
1 more directory could go but for a few files ('safe DIR'
  tells which):
  23.1 KiB  copy: all but 1 of its 14 files are elsewhere

END
cp "$T/out" "$T/ten"
terminal 50 redundant --protect all
out_line '   6.9 KiB  copy/of 21'
out_line '            both files are also in all/21'
# Ten of ten need no line that counts the others.
terminal 60 redundant --protect all --min-size 1200
[ "$(head -n 1 "$T/out")" = '   1.2 KiB  copy/of 12: its only file is also in all/12' ] || fail "first line: $(head -n 1 "$T/out")"
# A wider one always has a line for each: long paths are cut in the middle, and of several places one is told.
long=$(printf '%060d' 1)
mkdir -p "$long/a" "$long/b" elsewhere
for i in 1 2 3; do printf 'long %s' $i >"$long/a/$i"; done
cp "$long"/a/[12] "$long/b"
cp "$long/a/3" elsewhere
scan "$long" elsewhere
terminal 80 redundant "$long/a"
out_line '      18 B  0*\.\.\.0*1/a: also in 0*\.\.\.0*1/b and others'
# But for the line to be typed.
! grep -v '^  twindex ' "$T/out" | grep -q '.\{81\}' || { show_run; fail 'wider than the terminal'; }
terminal 80 redundant "$long/b"
out_has '/b: also in 0000'
terminal 60 redundant "$long/a"
out_has "  $long/a"
rm -r "$long" elsewhere
run 0 forget "$long" elsewhere
# All of them, or the first ones, come largest first.
for option in -a '-t 1' -v; do
	terminal 60 redundant --protect all $option
	[ "$(head -n 1 "$T/out")" = '   6.9 KiB  copy/of 21' ] || fail "$option: $(head -n 1 "$T/out")"
	out_lacks '--all'
done
# So does what goes into a pipe, and every other format.
run 0 redundant --protect all -c "$T/work/"
[ "$(grep -c 'copy/of' "$T/out")" = 12 ] || fail 'not all'
[ "$(head -n 1 "$T/out")" = '   6.9 KiB  copy/of 21' ] || fail "pipe: $(head -n 1 "$T/out")"
terminal 60 redundant --protect all --format csv
[ "$(grep -c '^"tree","redundant"' "$T/out")" = 12 ] || fail 'csv: not all'
# Links, which just go, are counted at the end alone.
ln -s nowhere 'copy/of 21/link'
terminal 60 redundant --protect all
out_line '   6.9 KiB  copy/of 21: both files are also in all/21'
out_has 'ignored: 1 symbolic link'
