# SPDX-License-Identifier: MIT
# source runs the lines of a file as if they were typed; errors of scripts name file and line.
. "$srcdir/tests/cli/lib.sh"

# said LINE...: stderr was exactly these lines.
said()
{
	printf '%s\n' "$@" | cmp -s - "$T/err" || {
		show_run
		fail "stderr is not: $*"
	}
}

mkdir -p tree/one tree/two
printf same >tree/one/x
printf same >tree/two/y
scan tree

# Every message of a script has its place, however it is read, and the command.
printf '%s\n' '# a comment' '' 'pwd' 'ls nowhere' "ls 'tree" 'nonsense' 'ls --nope; file tree/one/x' 'show 9' 'pwd | ' >bad
run 2 shell -k -f bad
grep -v '^file\|^twindex: bad:[0-9]' "$T/err" && fail 'a message without a place'
sed 's/\(twindex: [^:]*:[0-9]*: [^:]*\).*/\1/' "$T/err" >err && mv err "$T/err"
said "twindex: bad:4: ls" "twindex: bad:5: unbalanced ' quote" "twindex: bad:6: unknown command 'nonsense'" 'twindex: bad:7: ls' \
	'twindex: bad:8: show' 'twindex: bad:9: a program is missing behind |'
run 2 shell -f bad
said "twindex: bad:4: ls: '$T/work/nowhere' does not exist"
"$TWINDEX" shell <bad >"$T/out" 2>"$T/err" && fail 'a script does not fail'
said "twindex: standard input:4: ls: '$T/work/nowhere' does not exist"
run 2 shell -c 'ls nowhere'
said "twindex: '$T/work/nowhere' does not exist"

# The file's commands are those of the session: its directory, aliases and exit; paths mean the prompt's.
printf '%s\n' 'cd tree/one' 'alias here pwd' 'source ../two.tw' 'here' >one.tw
printf '%s\n' 'cd ../two' 'file y' >tree/two.tw
run 0 shell -c 'source one.tw; here'
out_has "$T/work/tree/two"
run 2 shell -c 'source nowhere; pwd'
said "twindex: 'nowhere' does not exist"
printf 'exit 7\npwd\n' >leave
run 7 shell -c 'source leave; pwd'
out </dev/null
printf 'pwd\n!pwd\npwd | cat >list\n' >twice
run 0 shell -c "source ~/../work/twice; cd tree; source '$T/work/twice'; !cat list"
printf '%s\n' "$T/work" "$T/work" "$T/work/tree" "$T/work/tree" "$T/work/tree" | out || exit
run 2 shell -c 'source twice | cat'
err_has 'has an output of its own'

# It ends at the first failure, and the script with it, or goes on with -k.
printf 'pwd\nnonsense\npwd\n' >fails
printf 'source fails\npwd\n' >outer
run 2 shell -f outer
[ "$(wc -l <"$T/out")" -eq 1 ] || fail 'what follows a failure runs'
said "twindex: fails:2: unknown command 'nonsense': see 'help'"
run 2 shell -k -f outer
[ "$(wc -l <"$T/out")" -eq 3 ] || fail '-k does not go on in a file'
printf 'source -k fails\npwd\n' >outer
run 2 shell -f outer
[ "$(wc -l <"$T/out")" -eq 2 ] || fail 'source -k does not go on, or for ever'

# Files that run each other end, also by other names, and deep ones; so does a script that reads itself.
printf 'source b\n' >a
printf '\nsource ./tree/../c\n' >b
ln -s a c
run 2 shell -f a
said "twindex: b:2: source: './tree/../c' is being run already: it would run itself without end"
i=0
while [ $i -lt 20 ]; do
	printf 'source deep%d\n' $((i + 1)) >deep$i
	i=$((i + 1))
done
printf 'pwd\n' >deep20
run 2 shell -c 'source deep0'
said "twindex: deep15:1: source: 'deep16' is not run: files run each other at most 16 deep"
run 0 shell -c 'source deep5'
run 2 shell -c 'source'
run 2 shell -c 'source a b'
run 6 shell -c 'source tree'
err_has "read 'tree'"
