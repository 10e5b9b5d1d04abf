# SPDX-License-Identifier: MIT
# The config file says options as if they were typed, and aliases; what it cannot say is told with its line, and it is
# not believed where others could have written it.
. "$srcdir/tests/cli/lib.sh"

unset TWINDEX_CONFIG
file=$HOME/.config/twindex/config
mkdir -p "${file%/*}" a b
printf 'same' | tee a/1 a/2.o b/3 >b/4.o
printf 'more of the same' | tee a/big >b/big

# Options of scan are those of new roots: an old one keeps its own, and typed ones replace all.
cat >"$file" <<'END'
# comment
[scan]
	exclude = *.o
; another
[report]
format = fdupes
[alias]
big = report --min-size 5 --format csv
END
# left_out DIR yes|no: whether a pattern leaves out DIR/*.o.
left_out()
{
	run 0 ls "$1"
	[ $2 = yes ] && out_has 'excluded by a pattern' || out_lacks 'excluded by a pattern'
}
scan a
left_out a yes
scan --exclude '*.nothing' a
left_out a yes
scan --no-config --hidden a
scan a
scan
left_out a no
scan b
left_out b yes

# Defaults are those of this command alone, and what is typed comes after them.
run 0 report
out <<END
$T/work/a/big
$T/work/b/big

$T/work/a/1
$T/work/a/2.o
$T/work/b/3

END
run 0 report --format csv
out_has ,16,
run 0 report --no-config
out_has redundant
run 0 --no-config report
out_has redundant
XDG_CONFIG_HOME=$T/none run 0 report
out_has redundant
TWINDEX_CONFIG='' run 0 report
out_has redundant

# An alias is a command with its first words, and the shell has it.
run 0 big
out_has ,16,
run 0 big --min-size 20
out_lacks ,16,
run 0 shell -c 'big'
out_has ,16,
run 2 --no-config big
err_has "unknown command 'big'"

# info shows what the file sets, and completion knows its aliases, and their options.
printf '[report]\ntop = 3\n[alias]\nbig = report --min-size 10\n' >"$file"
run 0 info
tail -n 3 "$T/out" >"$T/tail" && mv "$T/tail" "$T/out"
out <<END
config      $file
default     report --top=3
alias       big: report --min-size 10
END
run 0 --no-config info
out_lacks config
run 0 info --no-config
out_lacks config
run 0 __complete -- bi
out <<'END'
big	report --min-size 10
END
run 0 __complete -- big --min-w
out_has --min-waste
run 0 __complete --no-config -- bi
out </dev/null

# What is typed takes the place of a default that it excludes; both typed are an error.
printf '[scan]\nno-hidden\n[listing]\nhardlink-is-unique\nbytes\njson\n[du]\nbytes\n' >"$file"
mkdir h
printf 'hidden' >h/.f
scan h --no-hidden
run 0 ls h --format text
out_has 'hidden'
scan h --hidden
run 0 ls h --format text
out_has '    unique'
run 0 ls h -H --format text
out_has '    unique'
run 0 du h --si --format text
out_has '6 B'
run 0 ls h
out_has '"schema_version"'
run 2 scan h --hidden --no-hidden
run 2 ls h -H -I
run 0 forget h

# Wherever the index is, and how numbers are shown, may be said for all commands; the environment is nearer.
printf '[global]\ndb = ~/other.db\nverbose = no\n[listing]\nbytes\n' >"$file"
run 0 report
run 0 info
out_has "default     global --db=$HOME/other.db  (TWINDEX_DB counts instead)"
(unset TWINDEX_DB && "$TWINDEX" report) >"$T/out" 2>"$T/err" && fail 'not the other index'
err_has "$HOME/other.db"

# wrong TEXT MESSAGE: such a file is told of with its line, and nothing is run.
wrong()
{
	printf "$1" >"$file"
	run 2 report
	err_has "$file:$2"
}
wrong 'top = 3\n' "1: 'top = 3' stands before the first [section]"
wrong '[report\n' "1: ']' does not end the line '[report'"
wrong '[reprot]\ntop = 3\n' '1: [reprot] is no command'
wrong '\n[reprot]\n# top = 3\n' '2: [reprot] is no command'
wrong '\n\n[report]\nto = 3\n' "4: [report] has no option 'to'"
wrong '[report]\ntop = many\n' "2: option '--top': 'many' is not a number"
wrong '[report]\ntop\n' "2: 'top' needs a value: N"
wrong '[report]\nwait = perhaps\n' "2: 'wait' is yes or no, not 'perhaps'"
wrong '[report]\nnull = yes\n' "2: 'null' is for command lines alone"
wrong '[listing]\nexclude-path = a\n' "2: 'exclude-path' is a list"
wrong '[alias]\nls = report\n' "2: alias 'ls' is the name of a command"
wrong '[alias]\ncd = report\n' "2: alias 'cd' is the name of a command"
wrong '[alias]\nx = report | head\n' "2: alias 'x' must be one command"
wrong '[alias]\nx = reprot\n' "2: alias 'x': unknown command 'reprot'; did you mean 'report'?"
wrong '[alias]\nx\n' "2: alias 'x' must be one command"
wrong '[alias]\nx = x\n' "2: alias 'x': unknown command 'x'"
wrong '[alias]\nx = report "\n' "2: alias 'x': unbalanced"
wrong '[report]\ntop = 3\0\n' '2: a NUL byte'
# What was typed behind an alias is told of as what stands in it, with its line.
printf '[ls]\r\nlong\r\n[alias]\r\nx = report --top many\r\n' >"$file"
run 2 x
err_has "option '--top': 'many' is not a number"
err_has "alias 'x' is 'report --top many' ($file:4)"
run 0 ls a/1
out_has ' 4 B '
for option in yes force recursive marked; do
	printf "[rm]\n$option\n" >"$file"
	run 2 rm a/1
	err_has "$file:2: '$option' is for command lines alone"
done
# Nor what acts on more than was named, or leaves files out of an answer that people delete by, or says nothing of those
# that were not judged, or shows other paths.
for line in 'rm prune-empty' 'mark others' 'uniques name=*' 'uniques depth=1' 'dups depth=1' 'at-risk newer=30d' 'at-risk min-size=1' \
	'at-risk top=1' 'global quiet' 'uniques quiet' 'report no-check' 'du no-check' 'at-risk exclude-path=a' 'compare exclude-path=a' 'diff below=a' 'listing cut=/' 'contained relative'; do
	command=${line%% *} option=${line#* }
	printf "[$command]\n$option\n" >"$file"
	case $command in listing | global) command=ls ;; esac
	run 2 $command a b
	err_has "$file:2: '${option%%=*}' is for command lines alone"
done
printf '[ls]\ndepth = 1\n[redundant]\nmin-size = 1\n' >"$file"
run 0 ls
TWINDEX_CONFIG=$T/nothing run 2 report
err_has "'$T/nothing' does not exist"

# What everybody may write to, or is another user's, or no file, is as if it were not there.
printf '[report]\nformat = fdupes\n' >"$file"
chmod o+w "$file"
run 0 report
err_has "'$file' is ignored: everybody may write to it"
out_has redundant
rm "$file"
mkfifo "$file"
run 0 report
err_has "'$file' is ignored: it is no regular file"
rm "$file"
[ "$(id -u)" -eq 0 ] || skip 'not root: no file of another user'
printf '[report]\nformat = fdupes\n' >"$file"
chown 65534 "$file"
run 0 report
err_has "'$file' is ignored: it belongs to another user (65534)"
out_has redundant
