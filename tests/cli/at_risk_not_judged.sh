# SPDX-License-Identifier: MIT
# at-risk -v names each file that it counts as unknown, and why.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/sub shut other big
echo one >a/one
echo two >a/sub/two
echo three >a/three
cp a/one shut/
cp a/sub/two other/
echo lone >a/lone
# A size of which one file can't be read.
echo 123456789 >big/locked
echo 987654321 >a/sub/sized
ordinary
$as chmod 000 big/locked
run 3 scan --racy-window 0s a shut other big
echo TWO >other/two
$as chmod 000 shut
run 3 at-risk a --files -0
err_has 'not judged: 1 unreadable, 1 changed since the scan, 3 unknown; -v names them'
for how in '' --files; do
	# shellcheck disable=SC2086
	run 3 at-risk -v $how a
	err_has "not judged: $T/work/a/one (another copy can't be looked at, or has changed)"
	err_has "not judged: $T/work/a/sub/two (another copy can't be looked at, or has changed)"
	err_has "not judged: $T/work/a/sub/sized (a file of its size was not read)"
	err_lacks 'a/three ('
	err_lacks 'a/lone ('
done
# What has rows of different scans.
$as chmod 755 shut
$as chmod 644 big/locked
mkdir p p/q
echo before >p/f
scan p
ln p/f p/q/f
sleep 0.05
echo behind >p/f
scan p/q
run 3 at-risk -v p
err_has "not judged: $T/work/p/q/f (its parts are from different scans: scan all of it)"
