# SPDX-License-Identifier: MIT
# recover DIR gives files that a killed script of rmsh --portable has left beside their names these back, and replaces nothing.
. "$srcdir/tests/cli/lib.sh"

mkdir bin d e
real=$(command -v rm)
# The Nth removal is not done any more.
cat >bin/rm <<END
#!/bin/sh
echo x >>"$T/calls"
[ "\$(wc -l <"$T/calls")" -ne "\$at" ] || { kill -9 \$PPID; exit 1; }
exec $real "\$@"
END
chmod +x bin/rm
# killed N FILE: the script that removes it is killed at that removal.
killed()
{
	command rm -rf d/* d/.t* "$T/calls"
	cp -p e/* d
	scan -q d e
	run 0 rmsh "$2" --portable
	cp "$T/out" script
	(at=$1 PATH="$PWD/bin:$PATH" exec sh ./script) >/dev/null 2>&1 && fail 'it was not killed'
	[ "$(ls -A d | grep -c '^\.twindex-rmsh-')" = 1 ] || fail "not between two names: $(ls -A d)"
}
printf 'one' >e/a
printf 'two' >e/b
touch -d 2020-01-01 e/a e/b

killed 2 d/a
[ ! -e d/a ] || fail 'it has its name'
run 0 recover
out_has 'nothing is left'
run 1 recover -n d
out_has "(was $T/work/d/a)"
run 0 recover d
out <<END
restored: $T/work/d/a
END
[ "$(cat d/a)" = one ] && [ "$(ls -A d | tr '\n' ' ')" = 'a b ' ] || fail "left: $(ls -A d)"
scan d
run 0 recover .
# One that has another name, too, gets its own back.
killed 2 d/a
ln d/.twindex-rmsh-* d/two
run 0 recover d
[ d/a -ef d/two ] || fail 'a link was not restored'
# A second name, of the question whether two files are one.
killed 1 d/a
run 0 recover d
out_has 'second name removed: '
[ "$(cat d/a)" = one ] && [ "$(ls -A d | tr '\n' ' ')" = 'a b ' ] || fail "left: $(ls -A d)"
# Something else has the name; two are missing; a scan has forgotten the name: it stays, and is told.
killed 2 d/a
printf 'new' >d/a
run 3 recover d
err_has 'has no file of its content and time that is missing'
[ "$(cat d/a)" = new ] && [ "$(cat d/.twindex-rmsh-*)" = one ] || fail 'something was replaced'
command rm d/a
scan d
run 3 recover d
[ "$(cat d/.twindex-rmsh-*)" = one ] || fail 'it is gone'
cp -p e/a e/c
killed 2 d/a
command rm d/c
run 3 recover d
err_has 'several files of its content and time are missing'
# What only looks alike stays untouched.
command rm -f d/.t*
for name in .twindex-rmsh-1 .twindex-rmsh-1-x .twindex-rmsh--1 .twindex-rmsh-1-1x; do
	cp -p e/b d/$name
done
command rm d/b
run 0 recover d
[ ! -e d/b ] || fail 'a file of somebody else was taken'
