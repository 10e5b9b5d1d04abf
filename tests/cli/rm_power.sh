# SPDX-License-Identifier: MIT
# ACT-11: after rm and a loss of power, copies that were made just before are whole, few or many: what went had lain on the disk for long.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
for fs in ext4 xfs; do
	command -v mkfs.$fs >/dev/null || continue
	for n in 3 40; do
		rm -f "$TWINDEX_DB"*
		power_disk $fs $n
		run 0 -q scan --racy-window 0s m
		run 0 -q rm -r m/d --yes
		# What another program writes takes the removals to the disk with it.
		printf 'x' >m/unrelated
		xfs_io -c fsync m/unrelated
		power_cut
		for f in $(seq $n); do
			[ ! -e m/d/$f ] || echo "$fs, $n files: d/$f is back"
		done
		diff -r "$T/whole/$n" m/e || fail "$fs, $n files: a copy is not whole"
		umount m
	done
done
[ -e "$T/disk" ] || skip 'no file system to lose its power'
