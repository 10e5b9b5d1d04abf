# SPDX-License-Identifier: MIT
# Of a thousand files with one content each is looked at a few times, not once for each of the others.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
i=0
while [ $i -lt 1000 ]; do
	printf 'same' >d/f$i
	i=$((i + 1))
done
printf 'same' >e/f
scan d e

# looks LIMIT: the last command once more, with at most so many calls of stat.
trace=
if strace -qq -o "$T/trace" true 2>/dev/null && [ -s "$T/trace" ]; then
	trace=1
fi
looks()
{
	[ -n "$trace" ] || return 0
	limit=$1
	shift
	# Where directories tell no types, each file of one that is listed costs one more.
	[ "$1" = file ] || is_linux || limit=$((limit + 1000))
	strace -f -qq --seccomp-bpf -e trace='?stat,?statx,?newfstatat,?fstatat64,?lstat' -o "$T/trace" "$TWINDEX" "$@" >"$T/out2" 2>/dev/null || [ $? -eq 1 ] || skip 'strace fails'
	n=$(grep -cE '(stat|statx|newfstatat|fstatat64|lstat)\(' "$T/trace")
	[ "$n" -le "$limit" ] || fail "twindex $*: $n calls of stat"
}
# has LINES REGEXP: so many lines of stdout match.
has()
{
	n=$(grep -c -e "$2" "$T/out")
	[ "$n" -eq "$1" ] || fail "$n lines of '$ran' are $2"
}

run 0 uniques -x "$T/work" d
has 1000 .
looks 1400 uniques -x "$T/work" d
run 0 uniques -x d d
has 0 .
run 0 dups --format json d
has 1000 '"state":"dup".*"copies":1000[,}]'
looks 3400 dups --format json d
run 0 dups --format csv d
has 1000 '^"file","dup",4,.*,1000,'
looks 3400 dups --format csv d
printf '%s\n' d/f1 d/f2 d/f3 d/f4 d/f5 d/f6 d/f7 d/f8 d/f9 >list
run 0 file --files-from list
has 1000 '^            copy  '
has 8 ' (copies: see .*/d/f1)$'
looks 1400 file --files-from list
# One that is gone is none of them, whenever it went.
rm e/f d/f7
run 0 ls --format csv d
has 999 '^"file","dup",4,.*,998,'
has 1 '^"file","gone"'
