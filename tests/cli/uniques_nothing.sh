# SPDX-License-Identifier: MIT
# uniques that finds nothing says on a terminal what that means, so that silence is not read as safety; in a pipe it is silent.
. "$srcdir/tests/cli/lib.sh"
need script

# tty WANT ARG...: uniques ARG... on a terminal says just that.
tty()
{
	want=$1
	shift
	got=$(TERM=dumb script -qec "'$TWINDEX' uniques $*" /dev/null </dev/null | tr -d '\r')
	[ "$got" = "twindex: $want" ] || fail "uniques $*: '$got' instead of '$want'"
}

mkdir a b in both empty lone
printf 'one' >a/one
printf 'two!' >a/two
printf 'one' >b/one
printf 'two!' >b/two
: >a/nothing
printf 'inside' >in/a
printf 'inside' >in/b
printf 'one' >in/one
printf 'linked' >both/a
ln both/a both/b
: >empty/e
scan .
tty 'nothing: both files have a copy elsewhere; 1 file is empty' a
tty 'nothing: both files have a copy elsewhere' b
tty 'nothing: both files have a copy elsewhere' -x b b
tty 'nothing: all 3 files have a copy, 2 of them only inside this directory' in
tty 'nothing: all 4 files have a copy, all of them only inside these paths' a/one a/two b/one b/two -x in
tty 'nothing: the file has a copy elsewhere' a/one
tty 'nothing: both files have a copy or another link, all of them only inside this directory' both
tty 'nothing: no file has content; 1 file is empty' empty
tty 'nothing: no file has content' lone
# --depth leaves out what may be unique.
mkdir -p deep/er/est
printf 'one' >deep/one
scan .
tty 'nothing: the file has a copy elsewhere; subdirectories were left out' --depth 1 deep
tty 'nothing: the file has a copy elsewhere; what lies deeper than 2 levels was left out' --depth 2 deep
tty 'nothing: the file has a copy elsewhere' --depth 0 deep
run 0 uniques a
[ ! -s "$T/err" ] || fail 'silent in a pipe'
# What has copies only beside itself would be lost as well: that is told wherever the listing goes, and beside what it lists.
run 0 uniques in
err_has 'nothing: all 3 files have a copy, 2 of them only inside this directory'
run 0 -q uniques in
[ ! -s "$T/err" ] || fail 'not quiet'
printf 'only here' >in/only
scan .
run 0 uniques in
err_has "2 other files have a copy or link only inside this directory: 'uniques -x DIR DIR' lists all that would be lost with DIR"
run 0 uniques in a b
err_has '4 other files have a copy or link only inside these paths'
for asked in '-x in in' '--in b in' a .; do
	run 0 uniques $asked
	case $asked in
	.) err_has 'only inside this directory' ;;
	*) [ ! -s "$T/err" ] || fail "$asked" ;;
	esac
done
printf 'new' >b/new
got=$(TERM=dumb script -qec "'$TWINDEX' uniques b" /dev/null </dev/null | tr -d '\r')
[ "$got" = 'twindex: no file that could be judged: both files have a copy elsewhere
twindex: not judged: 1 new since the scan; -v names them' ] || fail "$got"
