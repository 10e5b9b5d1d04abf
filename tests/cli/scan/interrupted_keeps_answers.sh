# SPDX-License-Identifier: MIT
# What was known of files that a scan reads again, racy ones or all, stays known when the scan is cut off.
. "$srcdir/tests/cli/lib.sh"

truncate -s 6G a b 2>/dev/null || skip 'no files of this size here'
[ "$(stat -c %b a)" -lt 100 ] || skip 'no holes on this file system'
pid=
trap 'kill -9 $pid 2>/dev/null; cleanup' EXIT
interrupt()
{
	"$TWINDEX" -q scan "$@" . 2>/dev/null &
	pid=$!
	# It reads one of them.  A thread may have files of its own.
	n=0
	until ls -l /proc/$pid/task/*/fd 2>/dev/null | grep -q '/[ab]$' || [ $((n += 1)) -gt 20 ]; do
		sleep 0.01
	done
	kill -9 $pid || skip 'the scan was done already'
	wait $pid 2>/dev/null
	run 0 report --format fdupes -c "$T/work/"
	out <<'END'
a
b

END
}
# They are racy now.
run 0 scan .
interrupt
scan
interrupt --rehash --racy-window 0s
