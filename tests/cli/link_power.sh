# SPDX-License-Identifier: MIT
# ACT-11 for links and undo: after a loss of power every name has its whole content, whichever of its two states it has.
# Each kind goes one way; EVERY_KIND=1: all.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux names that are exchanged: links need that

own_mounts
for fs in ext4 xfs; do
	command -v mkfs.$fs >/dev/null || continue
	for kind in hard soft; do
		for way in 'link lost' 'link kept' 'undo kept'; do
			in_turn || continue
			rm -f "$TWINDEX_DB"*
			power_disk $fs 3
			run 0 -q scan --racy-window 0s m
			run 0 -q link --$kind -r m/d --yes
			case $way in undo*) run 0 -q undo ;; esac
			# What another program writes takes the acts to the disk with it, or does not.
			case $way in *kept) printf 'x' >m/unrelated; xfs_io -c fsync m/unrelated ;; esac
			power_cut
			for f in 1 2 3; do
				cmp "$T/whole/3/$f" m/e/$f && cmp "$T/whole/3/$f" m/d/$f || fail "$fs, $kind, $way: not whole"
			done
			umount m
		done
		# The next kind goes another way.
		turns=$((turns + 1))
	done
done
[ -e "$T/disk" ] || skip 'no file system to lose its power'
