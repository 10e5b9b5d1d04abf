# SPDX-License-Identifier: MIT
# Scripts of the shell: from -c, a file and standard input; quotes, operators, errors, and input that is none.
. "$srcdir/tests/cli/lib.sh"

mkdir -p tree/one tree/two
printf same >tree/one/x
printf same >tree/two/y
printf alone >"tree/two/a b"
scan tree

# Relative paths mean the directory of the session.
run 0 shell -c 'cd tree/one; pwd; dups; cd ..; uniques; cd -'
out <<END
$T/work/tree/one
$T/work/tree/one/x
$T/work/tree/two/a b
$T/work/tree/one
END
printf '# a comment\ncd tree/two # another\nuniques; pwd\n' >script
for from in "-f script" "-f -" ""; do
	# shellcheck disable=SC2086
	"$TWINDEX" shell $from <script >"$T/out" 2>"$T/err" || fail "shell $from fails"
	out <<END
$T/work/tree/two/a b
$T/work/tree/two
END
	[ ! -s "$T/err" ] || fail "shell $from says something"
done
run 0 shell tree/one -c pwd
out <<END
$T/work/tree/one
END

# Quotes.
for name in "'tree/two/a b'" '"tree/two/a b"' 'tree/two/a\ b' "\$'tree/two/a\\x20b'" "tree/t'wo/a 'b"; do
	run 1 shell -c "file $name"
	out_has "unique  $T/work/tree/two/a b"
done

# Operators.
run 0 shell -c 'dups tree | sed s/^/-/; dups tree > list; dups tree >> list; pwd'
out <<END
-$T/work/tree/one/x
-$T/work/tree/two/y
$T/work
END
[ "$(grep -c tree list)" -eq 4 ] || fail '> and >> do not write what they should'

# A file that is there is replaced only by >!, and not by a command that fails.
run 2 shell -c 'pwd > list; pwd'
err_has "'list' is there already"
out </dev/null
[ "$(grep -c tree list)" -eq 4 ] || fail '> overwrites'
run 2 shell -k -c 'ls --nope >! list; ls nowhere >! list; nonsense >! list'
[ "$(grep -c tree list)" -eq 4 ] || fail 'a command that fails empties a file'
run 2 shell -k -c 'ls --nope > new; nonsense > new; pwd > ~/"a & b" & !touch ran; mark drop R&B'
err_has "'&' is not an operator of this shell"
[ ! -e new ] && [ ! -e ran ] || fail 'a command that fails leaves a file behind'
run 0 shell -c 'uniques tree/one >! list; pwd > /dev/null; pwd > new; pwd >>new'
[ -f list ] && [ ! -s list ] || fail '>! does not replace'
[ "$(wc -l <new)" -eq 2 ] || fail '>> does not append'
rm new
run 0 shell -c 'pwd | cat 2>&1 && echo also; pwd'
out <<END
$T/work
also
$T/work
END

# A query without quotes is SQL up to the end of its line.
printf '%s\n' 'sql --no-header select 2>1, '"'it''s'"' || 1 -- don'"'"'t; pwd' 'sql --no-header "select 7" | cat' >queries
run 0 shell -f queries
out <<'END'
1	it's1
7
END
[ ! -e 1, ] && [ ! -e 1 ] || fail 'a comparison made a file'
run 2 shell -c 'sql select path from file_view > new'
err_has 'a query without quotes goes on to the end of its line'

# Where the directory cannot be entered nothing runs.
mkdir away
printf x >away/x
scan away
printf '%s\n' 'cd away' '!rm -r ../away' '!touch ran' 'pwd | tee ran' 'pwd > ran' 'hash x >> ran' >away.script
run 2 shell -k -f away.script
[ "$(grep -c "away' cannot be entered" "$T/err")" -eq 4 ] || fail 'a directory that is gone is entered'
[ ! -e ran ] || fail 'a program ran elsewhere'
run 0 forget away
run 0 shell -c 'cd tree/one; !cat x; pwd'
out_has same
run 0 shell -c 'pwd | cat; pwd | grep "a;b" ; pwd'
out <<END
$T/work
$T/work
END
run 6 shell -c 'dups tree > /nonexistent/file; pwd'
err_has "/nonexistent/file"
run 2 shell -c 'dups tree > one two'
err_has 'the name of one file'
run 2 shell -c '| cat'
err_has 'a command is missing'

# A script ends at its first error, with its status; answers are no errors.
run 2 shell -c 'nonsense; pwd'
out </dev/null
err_has "unknown command 'nonsense'"
run 2 shell -c 'reprot'
err_has "did you mean 'report'"
run 0 shell -c "file 'tree/two/a b'; pwd"
out_has "$T/work"
run 1 shell -c "file 'tree/two/a b'"
run 2 shell -k -c 'nonsense; pwd; ls --nope; pwd'
[ "$(grep -c work "$T/out")" -eq 2 ] || fail '-k does not go on'
run 2 shell -c 'ls nowhere'
run 5 --db "$T/none" shell -c 'report; pwd'
out </dev/null
run 7 shell -c 'exit 7; pwd'
out </dev/null
run 2 shell -c 'cd one'
err_has 'is not in the index'
run 2 shell -c 'show 1'
err_has 'there is no listing yet'
run 2 shell -c shell
err_has 'the shell already'
run 2 shell -f nowhere
run 2 shell -f script -c pwd
run 2 shell one two

# Aliases, settings; several names do not expand themselves.
run 0 shell -c 'alias twice report; alias report report --top 1; twice; set units bytes; report; unalias report twice'
[ "$(grep -c '^2 copies' "$T/out")" -eq 2 ] || fail 'aliases do not work'
run 0 shell -c 'alias a b; alias b a; alias' || fail 'aliases that mean each other'
run 2 shell -c 'alias a b; alias b a; a'
run 0 shell -c 'set format json; report' && out_has '"sets"'
run 2 shell -c 'set format nonsense'
run 0 shell -c 'report; show 1.2; show 1'
out_has "$T/work/tree/two/y"

# What is no input: unbalanced quotes, NUL bytes, control characters, a line of a megabyte.
run 2 shell -c "ls 'tree"
err_has 'unbalanced'
printf 'pwd\000pwd\npwd\n' | "$TWINDEX" shell -k >"$T/out" 2>"$T/err"
err_has NUL
out <<END
$T/work
END
printf '\001\033[31m\n' | "$TWINDEX" shell >"$T/out" 2>"$T/err" && fail 'control characters are a command'
grep -q "$(printf '\033')" "$T/err" && fail 'an escape came back to the terminal'
{ head -c 1000000 /dev/zero | tr '\0' a; echo; echo pwd; } | "$TWINDEX" shell -k >"$T/out" 2>"$T/err"
out <<END
$T/work
END
{ printf 'ls '; head -c 1000000 /dev/zero | tr '\0' '"'; echo; echo pwd; } | "$TWINDEX" shell -k >"$T/out" 2>"$T/err"
out_has "$T/work"

# The index may change under a script.
run 0 shell -c 'report | head -n 1; scan -q --racy-window 0s tree; report | head -n 1; forget tree/two/y; report'
out_has 'No duplicates.'

# What follows a mistake is not run; what follows a program that has seen enough is.
printf 'pwd > mark keep tree/one/x\nmarks\n' | "$TWINDEX" shell -k >"$T/out" 2>"$T/err"
out_has 'No marks.'
printf 'help | true\nls tree | true\n!echo reached\n' | "$TWINDEX" shell >"$T/out" 2>"$T/err" || fail 'a program that ends early ends the script'
out_has reached
run 2 shell -c 'pwd || pwd'
err_has "'||' is not an operator of this shell"
run 2 shell -c 'file tree/one/x < list'
err_has "'<' is not an operator of this shell"
run 2 shell -c 'pwd |'
err_has 'a program is missing'
run 2 shell -c 'pwd | ; pwd'
out </dev/null
run 0 shell -c 'pwd > ~/out; !cat ~/out'
out_has "$T/work"

# A signal ends it, also after a command that did well.
got=0
# shellcheck disable=SC2016
printf '!kill -TERM $PPID\n!echo further\npwd\n' | "$TWINDEX" shell -k >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 143 ] || fail "after SIGTERM the status is $got"
out </dev/null

# What can't be read, and places that are none.
run 6 shell -f "$T"
err_has "read '$T'"
run 2 shell nowhere -c pwd
err_has 'is not in the index'
run 2 shell tree/one/x -c pwd
err_has 'is a file'
printf 'pwd | cat\000x\n' | "$TWINDEX" shell >"$T/out" 2>"$T/err" && fail 'a NUL byte is part of a program'
err_has NUL

# Aliases keep words; an option counts more than a setting; numbers are names in scripts.
mkdir 'tree/c d'
printf other >'tree/c d/3'
scan tree
run 0 shell -c 'alias there cd "tree/c d"; there; pwd'
out_has "$T/work/tree/c d"
run 0 shell -c 'set units bytes; du --si tree'
out_has 'B  #'
run 1 shell -c 'cd "tree/c d"; ls; file 3'
out_has "unique  $T/work/tree/c d/3"
