# SPDX-License-Identifier: MIT
# Where the kernel has no openat2, a directory that became a symbolic link leads to no copy either.
. "$srcdir/tests/cli/lib.sh"
mkdir -p d/sub e elsewhere/sub
printf 'same' >d/sub/a
printf 'same' >e/b
scan d e
# The same inode, by another way.
mv d/sub/a elsewhere/sub/a
mv d d.real
ln -s elsewhere d
run 0 uniques e
out <<END
$T/work/e/b
END
# A build that asks for POSIX alone has just done that without it.
is_linux || exit 0
need strace
ran='uniques without openat2'
ASAN_OPTIONS=detect_leaks=0 strace -f -o "$T/trace" -e trace=openat2 -e inject=openat2:error=ENOSYS \
	"$TWINDEX" uniques e >"$T/out" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
grep -q ENOSYS "$T/trace" || skip 'no openat2 here'
out <<END
$T/work/e/b
END
