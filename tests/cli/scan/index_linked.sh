# SPDX-License-Identifier: MIT
# A link of the index, or of what lies beside it, in a tree that is scanned costs the scan none of its locks,
# where its threads can't have descriptors of their own, either.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
[ -r /proc/locks ] || skip 'the system does not tell who has which lock'
# A library that forbids descriptors of their own, and lets a directory named "wait" be listed only when told.
cat >"$T/shim.c" <<'END_C'
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int unshare(int flags)
{
	(void)flags;
	if (getenv("ALLOW") != NULL)
		return ((int (*)(int))dlsym(RTLD_NEXT, "unshare"))(flags);
	errno = EPERM;
	return -1;
}

static void
wait_in(int fd)
{
	char self[64], path[4096] = "", name[4200];
	const char *top = getenv("T");

	snprintf(self, sizeof(self), "/proc/thread-self/fd/%d", fd);
	if (readlink(self, path, sizeof(path) - 1) > 5 && strcmp(path + strlen(path) - 5, "/wait") == 0) {
		snprintf(name, sizeof(name), "%s/waiting", top);
		close(open(name, O_WRONLY | O_CREAT, 0600));
		snprintf(name, sizeof(name), "%s/go", top);
		while (access(name, F_OK) != 0)
			usleep(5000);
	}
}

ssize_t getdents64(int fd, void *buf, size_t size)
{
	wait_in(fd);
	return ((ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "getdents64"))(fd, buf, size);
}

struct dirent *readdir(DIR *dir)
{
	wait_in(dirfd(dir));
	return ((struct dirent *(*)(DIR *))dlsym(RTLD_NEXT, "readdir"))(dir);
}
END_C
# shellcheck disable=SC2086
$CC $CC_FLAGS -w -fno-sanitize=all -shared -fPIC -o "$T/shim.so" "$T/shim.c" -ldl 2>/dev/null || skip 'no shared library can be made'
pid=
trap '[ -z "$pid" ] || kill -9 $pid 2>/dev/null; exec 9>&-; cleanup' EXIT

# locks FILE: how many locks the scan has there.
locks()
{
	grep -c "^[^>]*POSIX .* $pid .*:$(stat -c %i "$1") " /proc/locks
}

mkdir old tree tree/wait
printf 'x' >old/x
# Others of the sizes that the index's files will have: these would be read in passing.
truncate -s 32768 tree/size
mkfifo "$T/pipe"
for allow in '' 1; do
	rm -f "$TWINDEX_DB"* tree/link* "$T/waiting" "$T/go"
	scan -q old
	# A reader that keeps log and shared memory where they are.
	"$SQLITE3" "$TWINDEX_DB" <"$T/pipe" >"$T/rows" &
	reader=$!
	exec 9>"$T/pipe"
	echo 'BEGIN; SELECT count(*) FROM file;' >&9
	n=0
	until [ -s "$T/rows" ]; do
		n=$((n + 1))
		[ $n -lt 500 ] || fail 'the reader does not answer'
		sleep 0.01
	done
	ln "$TWINDEX_DB" tree/link
	ln "$TWINDEX_DB-shm" tree/link-shm
	[ ! -e "$TWINDEX_DB-wal" ] || ln "$TWINDEX_DB-wal" tree/link-wal
	(
		[ -z "$allow" ] || export ALLOW=1
		LD_PRELOAD=$T/shim.so ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
		export LD_PRELOAD ASAN_OPTIONS
		exec "$TWINDEX" -q scan tree
	) 2>"$T/err" &
	pid=$!
	n=0
	until [ -e "$T/waiting" ]; do
		n=$((n + 1))
		[ $n -lt 500 ] || fail "the scan does not come to its last directory: $(cat "$T/err")"
		kill -0 $pid 2>/dev/null || skip "the library is not used: $(cat "$T/err")"
		sleep 0.01
	done
	[ "$(locks "$TWINDEX_DB")" -gt 0 ] || fail "no lock on the index is left (allow: $allow)"
	[ "$(locks "$TWINDEX_DB-shm")" -gt 0 ] || fail "no lock on its shared memory is left (allow: $allow)"
	: >"$T/go"
	wait $pid || fail "the scan failed: $(cat "$T/err")"
	pid=
	exec 9>&-
	wait $reader
	run 0 check
	run 0 ls -c "$T/work/tree/" tree
	out_has '   skipped  link (the index itself)'
	rows 'SELECT name FROM file_view ORDER BY name'
	out <<-'END_OUT'
	size
	x
	END_OUT
done
