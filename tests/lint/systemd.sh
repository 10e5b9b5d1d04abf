# SPDX-License-Identifier: MIT
# The service that is installed calls the program that is, and systemd finds nothing wrong with it and its timer.

made=$builddir/twindex-scan.service
[ -e "$made" ] || { echo "SKIP: configured without systemd"; exit 77; }
grep -q '^ExecStart=/[^@]*/twindex ' "$made" || { grep -n ExecStart "$made"; exit 1; }
command -v systemd-analyze >/dev/null || { echo "SKIP: no systemd-analyze"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

# The program need not be installed yet.
sed "s|^ExecStart=/[^ ]*/twindex |ExecStart=$builddir/twindex |" "$made" >"$dir/twindex-scan.service"
cp "$srcdir/build-aux/systemd/twindex-scan.timer" "$dir"
# What it does not know it ignores, says so, and exits with 0.
XDG_RUNTIME_DIR=$dir systemd-analyze --user --man=no verify "$dir/twindex-scan.timer" "$dir/twindex-scan.service" >"$dir/out" 2>&1 ||
	echo "exit status $?" >>"$dir/out"
! grep . "$dir/out"
