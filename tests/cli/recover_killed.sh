# SPDX-License-Identifier: MIT
# recover gives files that a killed rm has left between two names their names back, and replaces nothing.
. "$srcdir/tests/cli/lib.sh"

need strace
# Where inodes may not tell files apart rm gives each another name for a moment, and removes that first.
each=1
is_linux || each=2
# killed CALL N: rm, killed as it makes its Nth such call.
killed()
{
	rm -rf d e
	mkdir d e
	for f in 1 2 3; do
		printf 'content %s' $f >d/$f
		cp d/$f e/$f
	done
	# Nothing but the order of the acts tells them apart.
	touch -d 2020-01-01 d/1 d/2 d/3
	scan d e
	injected "$1" "$1:signal=SIGKILL:when=$((each * $2))" -q rm -r d --yes || skip 'no strace that can kill'
	[ "$(ls -A d | grep -c '^\.twindex-rm-')" -eq 1 ] || fail "no file is left between two names: $(ls -A d)"
}
run 5 recover
killed unlinkat 2
run 1 recover -n
out_has "found: $T/work/d/.twindex-rm-"
out_has "(was $T/work/d/2)"
run 0 recover
out <<END
restored: $T/work/d/2
END
[ "$(cat d/2)" = 'content 2' ] && [ "$(ls -A d | tr '\n' ' ')" = '2 3 ' ] || fail "left: $(ls -A d)"
run 0 recover
out <<'END'
nothing is left of killed runs
END
scan .
run 0 rm -r d --yes
# One that has another name, too, gets its own back.
killed unlinkat 2
ln d/.twindex-rm-* d/two
run 0 recover
[ d/2 -ef d/two ] || fail 'a link was not restored'
# Somebody has made a file of that name meanwhile: both stay.
killed unlinkat 1
printf 'newer' >d/1
run 3 recover
err_has "stays: another file has its name now: '$T/work/d/1'"
run 1 recover -n
err_has "another file has its name now: '$T/work/d/1'"
[ "$(cat d/1)" = newer ] && [ "$(cat d/.twindex-rm-*)" = 'content 1' ] || fail 'something was replaced'
rm d/1
run 0 recover
[ "$(cat d/1)" = 'content 1' ] || fail 'not restored'

# A second name of a file goes, the file stays; what only looks like one of ours stays, too.
ln d/1 d/.twindex-probe-0123456789abcdef
printf 'mine' >d/.twindex-rm-0123456789abcdef
rm d/3
run 3 recover
err_has 'the journal has no name for it'
out_has "second name removed: $T/work/d/.twindex-probe-0123456789abcdef"
[ -e d/1 ] && [ ! -e d/3 ] && [ ! -e d/.twindex-probe-0123456789abcdef ] && [ -e d/.twindex-rm-0123456789abcdef ] || fail "left: $(ls -A d)"

# What another run has removed since is not mistaken for it.
rm -rf d e
mkdir d e
printf 'content 1' >d/1
printf 'content 3' >d/3
cp d/1 d/3 e
touch -d 2020-01-01 d/1 d/3
scan d e
injected unlinkat unlinkat:signal=SIGKILL:when=$each -q rm d/1 --yes
run 0 rm d/3 --yes
run 0 recover
[ "$(cat d/1)" = 'content 1' ] && [ ! -e d/3 ] || fail "left: $(ls -A d)"
# Nor is the file of one killed run for that of another one.
scan d e
for again in 1 2 3; do
	injected unlinkat unlinkat:signal=SIGKILL:when=$each -q rm d/1 --yes
	[ -e d/3 ] || { cp -p e/3 d/3 && touch -d 2020-01-01 d/3 && scan d; }
	injected unlinkat unlinkat:signal=SIGKILL:when=$each -q rm d/3 --yes
	[ "$(ls -A d | grep -c '^\.twindex-rm-')" -eq 2 ] || fail "no two files are left: $(ls -A d)"
	run 0 recover
	[ "$(cat d/1)" = 'content 1' ] && [ "$(cat d/3)" = 'content 3' ] || fail "swapped: $(cat d/1), $(cat d/3)"
	scan d
done
