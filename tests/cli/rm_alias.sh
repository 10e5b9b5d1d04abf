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
