# SPDX-License-Identifier: MIT
# ACT-6: a directory that became a symbolic link leads to no copy, with openat2 and without.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/sub e elsewhere/sub
printf 'same' >d/sub/a
printf 'same' >e/b
printf 'same' >elsewhere/sub/a
scan d e
# During the act: the copy is at its path no more, whatever lies at the end of the link.
hold renameat2 1 rm e/b --yes
mv d d.real
ln -s elsewhere d
resume 3
[ -e e/b ] || fail 'removed for a copy behind a link'
# A file that got its name back by POSIX calls has changed.
is_linux || scan e
# Before it, seen by openat2, and component by component where the kernel has no such call.
run 1 rm e/b --yes
out_has "stays: $T/work/e/b (unique)"
is_linux || {
	rm d
	mv d.real d
	run 0 rm e/b --yes
	[ ! -e e/b ] && [ -e d/sub/a ] || fail 'a copy in a real directory is none'
	exit 0
}
need strace
ran='rm without openat2'
got=0
ASAN_OPTIONS=detect_leaks=0 strace -f -o "$T/trace" -e trace=openat2 -e inject=openat2:error=ENOSYS \
	"$TWINDEX" rm "$T/work/e/b" --yes >"$T/out" 2>"$T/err" || got=$?
grep -q ENOSYS "$T/trace" || skip 'no openat2 here'
[ $got -eq 1 ] || fail "exit status $got instead of 1: $(cat "$T/out" "$T/err")"
[ -e e/b ] || fail 'removed for a copy behind a link'
# The directories are real: without openat2 it works as well.
rm d
mv d.real d
got=0
ASAN_OPTIONS=detect_leaks=0 strace -f -o "$T/trace" -e trace=openat2 -e inject=openat2:error=ENOSYS \
	"$TWINDEX" rm "$T/work/e/b" --yes >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 0 ] && [ ! -e e/b ] && [ -e d/sub/a ] || fail "exit status $got: $(cat "$T/out" "$T/err")"
