# SPDX-License-Identifier: MIT
# ACT-1: a file that is reached by two file systems is one file: neither name is removed.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

overlay
printf 'the only copy' >fs/upper/file
printf 'below' >fs/lower/low
mount -o remount fs/merged 2>/dev/null
scan fs/upper fs/merged
for f in fs/upper/file fs/merged/file; do
	run 1 rm $f --yes
	out_has 'it is the same file as'
	[ -e fs/upper/file ] && [ -e fs/merged/file ] || fail 'the only copy is gone'
	# The probe gave the file another ctime.
	scan fs/upper fs/merged
done
ls -A fs/upper fs/merged | grep '^\.twindex' && fail 'a probe is left'
scan fs/lower
run 1 rm fs/lower/low --yes
[ -e fs/lower/low ] && [ -e fs/merged/low ] || fail 'the only copy below is gone'

# A bind mount, made before the scan, or since then over a copy, shows one file twice.
# one_stays: neither name is removed.
one_stays()
{
	for f in real/file bind/file; do
		"$TWINDEX" rm $f --yes >"$T/out" 2>"$T/err" && fail "rm $f: 0"
		[ -e real/file ] && [ -e bind/file ] || fail "rm $f: the only copy is gone"
	done
}
mkdir real bind
printf 'by two paths' >real/file
mount --bind real bind || skip 'cannot mount here'
scan real bind
one_stays
umount bind
printf 'by two paths' >bind/file
scan real bind
mount --bind real bind
one_stays
umount bind
