# SPDX-License-Identifier: MIT
# Sourced before each test.  Tests write thousands of files, which memory takes in half the time of a disk: unless
# TMPDIR is set, it becomes a file system in memory that has room for them; make asks once, and TESTS_TMPDIR is the answer.
#
# DISK_TMPDIR is for tests of what only a disk does: a tmpfs gives no inode number twice and knows no name of its own.

# in_memory DIR: it can be used, and 1 GiB fits there while as much stays free.  Three tests at once need 0.3 GiB.
in_memory()
{
	[ -d "$1" ] && [ -w "$1" ] && [ -r /proc/self/mounts ] && [ -r /proc/meminfo ] || return 1
	usable=no
	while read -r _ on type options _; do
		[ "$on" != "$1" ] || case $type,$options, in
		*,noexec,*) usable=no ;;
		tmpfs,*) usable=yes ;;
		*) usable=no ;;
		esac
	done </proc/self/mounts
	[ $usable = yes ] || return 1
	available=0
	while read -r key n _; do
		case $key in
		MemAvailable:) available=$n && break ;;
		esac
	done </proc/meminfo
	[ "$available" -ge 2097152 ] || return 1
	# shellcheck disable=SC2046
	set -- $(df -Pk "$1")
	shift $(($# > 6 ? $# - 6 : 0))
	[ "${4:-0}" -ge 1048576 ]
}

DISK_TMPDIR=${TMPDIR:-/tmp}
if [ -n "${TESTS_TMPDIR:-}" ]; then
	TMPDIR=$TESTS_TMPDIR
elif [ -z "${TMPDIR:-}" ] && in_memory /dev/shm 2>/dev/null; then
	TMPDIR=/dev/shm
else
	TMPDIR=$DISK_TMPDIR
fi
export TMPDIR DISK_TMPDIR
