# SPDX-License-Identifier: MIT
# rmsh prints what rm would do: the same files, as a script that does it later, unless something has changed by then.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for name in a b c f g h i; do
	printf 'same %s' $name >d/$name
	cp d/$name e/$name
done
printf 'only' >d/only
printf 'lone' >d/.hidden
cp d/.hidden e/hidden
scan -q d e
run 2 rmsh
err_has 'rmsh needs a path, or --marked'
run 2 rmsh d
run 1 rmsh -r d
err_has 'the script is to remove 8 files, '
err_has '1 other file stays: -v lists them'
[ "$(head -n 1 "$T/out")" = '#!/bin/sh' ] || fail 'not a script'
out_line "# It is to remove 8 files, .*"
out_line "remove '$T/work/d/a' '$T/work/e/a'"
out_lacks only
cp "$T/out" script
run 1 rmsh -r d -v
err_has "stays: $T/work/d/only (unique)"
run 1 rmsh -r --portable d -q
[ ! -s "$T/err" ] || fail 'not quiet'
cp "$T/out" portable
run 2 rmsh -r d --hard --soft
run 2 rmsh -r d --reflink --portable
err_has 'no command compares files while it makes them share blocks'
run 2 rmsh -r d --trash --portable
run 2 rmsh -r d --trash --soft
run 2 rmsh -r d --any-attributes
err_has 'any-attributes is for --hard and --soft'
for kind in hard:hard_link soft:soft_link reflink:reflink trash:to_trash; do
	run 1 rmsh -r d --${kind%:*}
	out_line "${kind#*:} '$T/work/d/a' '$T/work/e/a'"
done
# Older names of --hard and --soft are taken, and not shown.
for kind in hardlink:hard_link link:soft_link; do
	run 1 rmsh -r d --${kind%:*}
	out_line "${kind#*:} '$T/work/d/a' '$T/work/e/a'"
	run 0 help rmsh
	out_lacks " --${kind%:*}"
done
# The files are chosen as rm does.
run 1 rmsh d/a --keep in:d
run 1 rmsh -r . --keep in:e --only d
out_line "remove '$T/work/d/a' '$T/work/e/a'"
run 0 mark drop -q e/b
run 0 rmsh --marked
out_line "remove '$T/work/e/b' '$T/work/d/b'"
run 0 mark undo -q
[ "$(ls d e | wc -l)" -eq 19 ] || fail 'rmsh did something'

# A week later.
change()
{
	printf 'SAME a' >d/a
	rm e/b
	rm e/c && mkdir e/c
	rm d/f && ln e/f d/f
	rm e/g && ln -s "$PWD/d/g" e/g
	rm d/h
}
after='d: a b c f g only
e: a c f g h hidden i'
listing()
{
	for dir in d e; do
		# shellcheck disable=SC2012
		echo "$dir: $(ls $dir | tr '\n' ' ' | sed 's/ $//')"
	done
}
cp -a d e "$T"
change
sh ./portable >"$T/out" 2>"$T/err"
got=$?
[ $got -eq 3 ] || fail "exit status $got: $(cat "$T/out" "$T/err")"
[ "$(listing)" = "$after" ] || fail "portable: $(listing)"
out_line '2 done, 0 left .*, 6 of which .*'
err_has "$T/work/d/a stays: it differs from its copy"
err_has "$T/work/d/g stays: its copy is not there, or not a regular file"
err_has "$T/work/d/f stays: it is a link to its copy"
# While others write to the disk, two looks at it differ in how full it is: it is one disk, also where there are no links.
rm -rf d e
cp -a "$T/d" "$T/e" .
mkdir "$T/busy"
cat >"$T/busy/df" <<'END'
#!/bin/sh
used=$(($(cat "$0.used" 2>/dev/null || echo 98) + 1))
echo $used >"$0.used"
echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'
echo "a disk of 2 parts   100000 $used   1$used   1% /a place"
END
printf '#!/bin/sh\nexit 1\n' >"$T/busy/ln"
chmod +x "$T/busy/df" "$T/busy/ln"
PATH=$T/busy:$PATH sh ./portable >"$T/out" 2>"$T/err" || fail "a busy disk: $(cat "$T/out" "$T/err")"
[ -e "$T/busy/df.used" ] || fail 'df was not asked'
out_line '8 done, 0 left .*'
rm -rf d e
cp -a "$T/d" "$T/e" .
scan -q d e
run 1 rmsh -r d
cp "$T/out" script
change
sh ./script >"$T/out" 2>"$T/err"
got=$?
[ $got -eq 3 ] || fail "exit status $got: $(cat "$T/out" "$T/err")"
[ "$(listing)" = "$after" ] || fail "by twindex: $(listing)"
out_line '2 done, .*'
# Lines that are taken out are not done; no index, no act.
sed "/^remove '/d" script >less
sh ./less >"$T/out" 2>&1 || fail 'an empty script fails'
out_line '0 done, .*'
mv "$TWINDEX_DB" "$T/elsewhere"
sh ./script >"$T/out" 2>"$T/err"
got=$?
[ $got -eq 5 ] || fail "exit status $got without an index"
mv "$T/elsewhere" "$TWINDEX_DB"

# The copy in a file's line is the one that must be there, whatever others there are.
mkdir one two three
for dir in one two three; do
	printf 'three times' >$dir/x
done
scan -q one two three
run 0 rmsh one/x
cp "$T/out" script
copy=$(sed -n "s/^remove '[^']*' '\(.*\)'\$/\1/p" script)
rm "$copy"
sh ./script >"$T/out" 2>"$T/err" && fail 'another copy than the one in the script stays'
[ -e one/x ] || fail 'a file whose copy in the script is gone was removed'
sed "s|^\(remove '[^']*'\) .*|\1 '$(ls "$PWD"/two/x "$PWD"/three/x 2>/dev/null)'|" script >other
sh ./other >"$T/out" 2>"$T/err" || fail "a copy that was put in by hand does not do: $(cat "$T/out" "$T/err")"
[ ! -e one/x ] || fail 'nothing was done'

need_linux renames that replace nothing: the trash needs that, and links names that are exchanged
# Into the trash; and links of files with another mode, if that was asked for.
for name in 1 2 3; do
	printf 'again %s' $name >one/$name
	cp one/$name two/$name
	chmod 600 two/$name
done
scan -q one two three
run 0 rmsh --trash two/1
sh "$T/out" >"$T/err" 2>&1 || fail "nothing went into the trash: $(cat "$T/err")"
[ ! -e two/1 ] || fail 'it is there still'
run 0 undo
[ "$(cat two/1)" = 'again 1' ] || fail 'it does not come back'
for form in '' --portable; do
	for kind in --hard --soft; do
		# As link: such files have no line; one whose mode changes later stays.
		run 1 rmsh $form $kind two/2
		grep -q "^[a-z]*_link .*two/2" "$T/out" && fail "$form $kind: a line for what link refuses"
		chmod "$(stat -c %a one/2)" two/2
		scan -q two
		run 0 rmsh $form $kind two/2
		grep -q "^[a-z]*_link .*two/2" "$T/out" || fail "$form $kind: no line"
		cp "$T/out" "$T/script"
		chmod 600 two/2
		scan -q two
		sh "$T/script" >"$T/err" 2>&1 && fail "$form $kind: another mode was lost"
		[ ! -L two/2 ] && [ ! two/2 -ef one/2 ] || fail "$form $kind: it is a link"
	done
	run 0 rmsh $form --hard --any-attributes two/2
	sh "$T/out" >"$T/err" 2>&1 && [ two/2 -ef one/2 ] || fail "$form: no hard link: $(cat "$T/err")"
	run 0 rmsh $form --soft --any-attributes two/3
	sh "$T/out" >"$T/err" 2>&1 && [ -L two/3 ] || fail "$form: no soft link: $(cat "$T/err")"
	rm two/2 two/3
	cp one/2 one/3 two
	chmod 600 two/2 two/3
	scan -q one two
done
