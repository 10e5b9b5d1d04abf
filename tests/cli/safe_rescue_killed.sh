# SPDX-License-Identifier: MIT
# ACT-18: a rescue or its undo that is killed, or whose calls fail, leaves whole copies or none; what it says is true, and it goes on.
. "$srcdir/tests/cli/lib.sh"

need strace
mkdir -p old/d
for f in 1 2 d/3; do
	printf 'content %s' $f >old/$f
	touch -d 2001-01-01 old/$f
done
ln old/1 old/d/1-too
scan old
cp "$TWINDEX_DB" scanned
# Nothing of this test touches old: its index is that of the one scan.
setup()
{
	rm -rf keep "$TWINDEX_DB"-*
	cp scanned "$TWINDEX_DB"
}
# sound: every original is there, and each name in keep but ours has the content of its original.
sound()
{
	for f in 1 2 d/3; do
		says old/$f "content $f" || fail "$left: the original is gone"
		[ ! -e keep/$f ] || says keep/$f "content $f" || fail "$left: half a copy: $(ls -l keep)"
	done
	[ ! -e keep/d/1-too ] || says keep/d/1-too 'content 1' || fail "$left: half a copy of a link"
}
# ours: names of ours in keep.
ours()
{
	[ ! -e keep ] || find keep -name '.twindex-*'
}
# ended: it can be done, and undone, as if nothing had been.
ended()
{
	run 0 check
	run 0 recover
	sound
	[ -z "$(ours)" ] || fail "$left: recover has left $(ours)"
	run 0 safe old --rescue keep --yes
	sound
	[ "$(find keep -type f | wc -l)" = 4 ] || fail "$left: not all copied: $(find keep)"
	scan keep
	run 0 safe old
}
# before CALL: how many calls come before the first copy is made.
before()
{
	$AWK -v call="$1(" '/O_TMPFILE|rescue-/ { exit } index($0, call) { n++ } END { print n + 0 }' "$T/calls"
}
setup
strace -f -o "$T/calls" -e trace=openat,ftruncate,pwrite64,utimensat,fsync,linkat,mkdirat "$TWINDEX" -q safe old --rescue keep --yes 2>"$T/err"
at=0 met=0
# Each sixth is enough without EVERY_KIND=1: what follows a kill takes seven starts.
another()
{
	met=$((met + 1))
	[ -n "${EVERY_KIND:-}" ] || [ $((met % 2)) -eq 1 ]
}
while read -r call how most; do
	n=0
	# SQLite makes some, too.
	case $call in
	pwrite64 | ftruncate) n=$(before $call) most=$((n + most)) ;;
	esac
	while [ $n -lt "$most" ]; do
		n=$((n + 1))
		in_turn && another || continue
		setup
		injected "$call" "$call:$how:when=$n" safe old --rescue keep --yes || break
		at=$((at + 1))
		left="$how at $call $n"
		sound
		case $how in
		error*)
			[ -z "$(ours)" ] || fail "$left: left $(ours)"
			[ "$got" -ne 0 ] || [ "$(find keep -type f | wc -l)" = 4 ] || fail "$left: said that all is done"
			;;
		esac
		ended
	done
done <<'END'
linkat signal=SIGKILL 4
mkdirat signal=SIGKILL 2
fdatasync signal=SIGKILL 2
fsync signal=SIGKILL 5
utimensat signal=SIGKILL 3
pwrite64 signal=SIGKILL 3
ftruncate signal=SIGKILL 2
linkat error=EIO 4
linkat error=EEXIST 2
mkdirat error=EACCES 2
fdatasync error=EIO 2
fsync error=EIO 4
pwrite64 error=ENOSPC 3
ftruncate error=EFBIG 2
utimensat error=EPERM 2
END
[ $at -ge 4 ] || skip 'no strace that can inject faults'
# Interrupted: whole copies, and the rest later.
setup
hold linkat 2 safe old --rescue keep --yes
kill -INT "$held"
resume 130
left=interrupted
sound
out_has 'copied 2 files'
[ -z "$(ours)" ] && [ "$(find keep -type f | wc -l)" = 2 ] || fail "left: $(find keep)"
[ "$(grep -c '^not' "$TWINDEX_DB-acts")" = 2 ] || fail "the journal: $(cat "$TWINDEX_DB-acts")"
ended
# Undo, killed: a copy is there or not, and the original always.
for call in renameat2 unlinkat fsync; do
	n=0
	while [ $n -lt 5 ]; do
		n=$((n + 1))
		in_turn || continue
		setup
		run 0 safe old --rescue keep --yes
		injected "$call" "$call:signal=SIGKILL:when=$n" undo || break
		left="undo, killed at $call $n"
		sound
		run 0 recover
		[ -z "$(ours)" ] || fail "$left: recover has left $(ours)"
		sound
		run 0 undo
		[ ! -e keep ] || fail "$left: $(find keep)"
		sound
		run 0 check
	done
done
# Without files that have no name: what was copied so far is removed again.
is_linux && grep -q O_TMPFILE "$T/calls" || exit 0
n=$(($(before openat) + 1)) cut=$(($(before ftruncate) + 1))
for how in '' ftruncate:signal=SIGKILL:when=$cut utimensat:signal=SIGKILL:when=1 fsync:signal=SIGKILL:when=1 \
	renameat2:signal=SIGKILL:when=1 ftruncate:error=ENOSPC:when=$cut; do
	in_turn || continue
	setup
	left="without O_TMPFILE, $how"
	injected openat,ftruncate,utimensat,fsync,renameat2 "openat:error=EOPNOTSUPP:when=$n $how" safe old --rescue keep --yes || fail "$left: nothing was injected"
	sound
	case $how in
	'' | *error*) [ -z "$(ours)" ] || fail "$left: left $(ours)" ;;
	*) [ -n "$(ours)" ] || fail "$left: nothing is left: then this tests nothing" ;;
	esac
	ended
done
