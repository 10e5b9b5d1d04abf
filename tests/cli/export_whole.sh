# SPDX-License-Identifier: MIT
# An export that is killed, stopped, or has no room leaves the one before as it was, and nothing of its own for long.
. "$srcdir/tests/cli/lib.sh"

mkdir d
for i in 1 2 3 4 5 6 7 8; do echo "content $i" | tee d/a$i >d/b$i; done
scan d
all='-w keys -w files -w sizes -w dirs'
# whole DIR: each directory in DIR that a reader takes is a whole export.
whole()
{
	for e in "$1"/*; do
		[ ! -d "$e" ] || grep -q '"dirs":{"rows":1,"files":1,.*}}}$' "$e/manifest.json" || fail "a part of an export: $(ls -A "$e")"
	done
}

# Killed at calls of every kind, also those that put it in the place of another one.
kinds=0 least=1
[ -z "${EVERY_KIND:-}" ] || least=3
for where in renameat2:when=1 rename:when=1 unlinkat:when=1 unlinkat:when=3 fsync:when=1 fsync:when=9 mkdir:when=2 mkdir:when=6; do
	in_turn || continue
	rm -rf x
	mkdir x
	run 0 export --host h --out x $all
	if injected "${where%%:*}" "${where%%:*}:signal=KILL:${where#*:}" export --host h --out x $all --replace; then
		kinds=$((kinds + 1))
		[ -e x/h-1/manifest.json ] || fail "$where: the one before is gone: $(ls -A x)"
		# Nor do patterns that take no notice of dots find a part.
		for e in x/.[!.]*/kind=*; do [ ! -e "$e" ] || fail "$where: $e"; done
		whole x
	fi
	run 0 export --host h --out x $all --replace
	whole x
	[ "$(ls -A x)" = h-1 ] || fail "$where left $(ls -A x)"
done
[ $kinds -ge $least ] || fail "killed only $kinds times"

# Where two directories cannot change names, the old one is moved aside, and found there.
if injected renameat2 renameat2:error=EINVAL export --host h --out x $all --replace; then
	[ $got -eq 0 ] || fail "exit status $got without renameat2"
	whole x
	[ "$(ls -A x)" = h-1 ] || fail "left $(ls -A x)"
fi
for n in 2 3; do
	injected 'renameat2 renameat' "renameat2:error=EINVAL renameat:signal=KILL:when=$n" export --host h --out x $all --replace || continue
	run 2 export --host h --out x $all
	err_has 'is there already'
	whole x
	[ "$(ls -A x)" = h-1 ] || fail "left $(ls -A x)"
done
mkdir x/.h-1.old-999999999
mv x/h-1 x/.h-1.old-999999999
run 2 export --host h --out x $all
err_has 'is there already'
[ "$(ls -A x)" = h-1 ] || fail "not given back: $(ls -A x)"

# What was left of another generation goes after a day, unless a living process fills it.
mkdir -p x/.h-7.tmp-999999999/kind=keys x/.h-8.tmp-999999999 x/.h-9.tmp-$$ x/.h-x.tmp-999999999 x/.hh-7.tmp-999999999
touch -t 202001010000 x/.h-7.tmp-999999999 x/.h-9.tmp-$$ x/.h-x.tmp-999999999 x/.hh-7.tmp-999999999
run 0 export --host h --out x $all --replace
[ "$(ls -A x | grep -v '^[.]h-9')" = ".h-8.tmp-999999999
.h-x.tmp-999999999
.hh-7.tmp-999999999
h-1" ] || fail "in x: $(ls -A x)"
[ -d x/.h-9.tmp-$$ ] || fail 'one that is being filled is gone'

# An error of the disk, or a signal, leaves nothing; few descriptors are enough.
rm -rf x
mkdir x
for how in fsync:error=EIO:when=1 fsync:error=EIO:when=4 mkdir:error=ENOSPC:when=4; do
	rm -rf x/h-1
	injected "${how%%:*}" "$how" export --host h --out x $all || continue
	[ $got -eq 6 ] || fail "exit status $got with $how"
	err_has "$T/work/x/"
	[ -z "$(ls -A x)" ] || fail "$how left $(ls -A x)"
done
if injected mkdir mkdir:signal=TERM:when=3 export --host h --out x $all; then
	[ $got -eq 143 ] || [ $got -eq 0 ] || fail "exit status $got after SIGTERM"
	[ $got -eq 0 ] || [ -z "$(ls -A x)" ] || fail "SIGTERM left $(ls -A x)"
fi
rm -rf x
mkdir x
(ulimit -S -n 40 && run 0 export --host h --out x $all) || exit
whole x
[ "$(ls -A x)" = h-1 ] || fail "in x: $(ls -A x)"
