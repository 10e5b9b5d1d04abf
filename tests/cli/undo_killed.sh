# SPDX-License-Identifier: MIT
# ACT-17: undo that is killed, or whose calls fail, leaves each name with its link, its file or nothing; after recover it goes on.
# Each third kill is tried; EVERY_KIND=1: all.
. "$srcdir/tests/cli/lib.sh"

need strace
# setup KIND: an act of that kind that undo will take back.
setup()
{
	rm -rf d e
	mkdir d e
	for f in 1 2; do
		printf 'content %s' $f >d/$f
		printf 'content %s' $f >e/$f
		touch -d 2001-01-0$f d/$f
	done
	scan d e
	rm -f "$TWINDEX_DB-acts"
	case $1 in
	rm) run 0 rm -r d --yes ;;
	*) run 0 link "--$1" -r d --yes ;;
	esac
}
# sound: every name of d that is there has its content, and at most one file has a name of ours.
sound()
{
	for f in 1 2; do
		says e/$f "content $f" || fail "$left: the copy is gone"
		[ ! -e d/$f ] || says d/$f "content $f" || fail "$left: another content"
		[ "$kind" = rm ] || [ -e d/$f ] || fail "$left: the name is gone"
	done
	[ "$(ls -A d | grep -c '^\.twindex-')" -le 1 ] || fail "$left: $(ls -A d)"
}
at=0
while read -r kind how call most; do
	# POSIX has no names that are exchanged: links need that.
	[ "$kind" = rm ] || is_linux || continue
	n=0
	while [ $n -lt "$most" ]; do
		n=$((n + 1))
		in_turn || continue
		setup "$kind"
		injected "$call" "$call:$how:when=$n" -q undo || break
		at=$((at + 1))
		left="$kind, $how at $call $n"
		sound
		run 0 recover
		sound
		[ -z "$(ls -A d | grep '^\.twindex-')" ] || fail "$left: recover has left $(ls -A d)"
		case $how in
		signal*)
			run 0 undo
			[ ! d/1 -ef e/1 ] && [ ! -L d/2 ] && [ "$(stat -c '%y %h' d/1 d/2 | cut -c 1-10,36-)" = "$(printf '2001-01-01 1\n2001-01-02 1')" ] ||
				fail "$left: not undone: $(ls -Al d)"
			;;
		esac
		scan d e
		run 0 check
	done
done <<'END'
rm signal=SIGKILL linkat 2
rm signal=SIGKILL fdatasync 2
rm signal=SIGKILL fsync 2
rm error=EIO linkat 1
rm error=ENOSPC pwrite64 1
rm error=EIO fsync 1
hard signal=SIGKILL linkat 2
hard signal=SIGKILL renameat2 2
hard signal=SIGKILL unlinkat 2
hard error=EIO unlinkat 1
hard error=EINVAL renameat2 1
soft signal=SIGKILL renameat2 2
soft signal=SIGKILL unlinkat 2
soft error=EIO unlinkat 1
END
[ $at -ge $(is_linux && echo 5 || echo 2) ] || skip 'no strace that can inject faults'
# Without files that have no name, the same.
kind=rm
setup rm
n=$(strace -f -e trace=openat "$TWINDEX" -q undo 2>&1 | grep -n O_TMPFILE | head -n 1 | cut -d : -f 1)
[ -n "$n" ] || exit 0
for how in '' 'fsync:signal=SIGKILL:when=1' 'fsync:error=EIO:when=1'; do
	setup rm
	left="without O_TMPFILE, $how"
	injected openat,fsync "openat:error=EOPNOTSUPP:when=$n $how" undo
	sound
	case $how in
	'') [ $got -eq 0 ] && [ "$(ls -A d)" = "$(printf '1\n2')" ] || fail "$left: $(ls -A d)" ;;
	*error*) [ $got -eq 1 ] && [ -z "$(ls -A d | grep '^\.')" ] || fail "$left: $(ls -A d)" ;;
	*)
		run 0 recover
		[ -z "$(ls -A d | grep '^\.')" ] || fail "$left: $(ls -A d)"
		;;
	esac
done
