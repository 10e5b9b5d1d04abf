# SPDX-License-Identifier: MIT
# Where the threads of a scan share their descriptors, as where the system gives them none of their own, none takes so
# many for the files of a set that --verify leaves out the files of another.
. "$srcdir/tests/cli/lib.sh"

cat >"$T/shim.c" <<'END_C'
#include <errno.h>
int unshare(int flags)
{
	(void)flags;
	errno = EPERM;
	return -1;
}
END_C
# shellcheck disable=SC2086
$CC $CC_FLAGS -w -fno-sanitize=all -shared -fPIC -o "$T/shim.so" "$T/shim.c" 2>/dev/null || skip 'no shared library can be made'

for set in 1 2 3 4 5 6; do
	mkdir $set
	yes $set | head -c 300000 >$set/10
	i=11
	while [ $i -lt 50 ]; do
		cp $set/10 $set/$i
		i=$((i + 1))
	done
done
scan .
(
	LD_PRELOAD=$T/shim.so ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
	export LD_PRELOAD ASAN_OPTIONS
	ulimit -n 64
	exec "$TWINDEX" scan --verify --threads 4
) >"$T/out" 2>"$T/err" || fail "the scan failed: $(cat "$T/err")"
out_line 'verified    240 files byte by byte, .*'
