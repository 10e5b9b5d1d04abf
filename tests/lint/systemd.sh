# SPDX-License-Identifier: MIT
# systemd finds nothing wrong with the timer and its service.

command -v systemd-analyze >/dev/null || { echo "SKIP: no systemd-analyze"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

sed "s|@bindir@|$builddir|" "$srcdir/build-aux/systemd/twindex-scan.service.in" >"$dir/twindex-scan.service"
cp "$srcdir/build-aux/systemd/twindex-scan.timer" "$dir"
# What it does not know it ignores, says so, and exits with 0.
XDG_RUNTIME_DIR=$dir systemd-analyze --user --man=no verify "$dir/twindex-scan.timer" "$dir/twindex-scan.service" >"$dir/out" 2>&1 ||
	echo "exit status $?" >>"$dir/out"
! grep . "$dir/out"
