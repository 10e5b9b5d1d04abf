# SPDX-License-Identifier: MIT
# What every question and act says of a file that another path may show: an overlay, a program in user space, a bind mount.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
own_mounts
need_linux 'overlays, FUSE and bind mounts'
. "$srcdir/tests/cli/matrix.sh"

seen() { other=seen && mkdir seen; }
overlaid()
{
	lower tmpfs ramfs overlay && seen && mkdir -p up/u up/w || return
	mount -t overlay -o "lowerdir=$PWD/a,upperdir=$PWD/up/u,workdir=$PWD/up/w" none seen && scan a seen
}
mirror() { command -v bindfs >/dev/null && bindfs "$1" "$2"; }
mirrored() { seen && mirror a seen && scan a seen; }
# Both names are of the program in user space, which has the file once.
shown_twice() { seen && mkdir real && mv a/f real/ && mirror real a && mirror real seen && scan a seen; }
true_copy() { seen && mkdir real && cp a/f real/f && mirror real seen && scan a seen; }
network() { seen && mkdir far && cp a/f far/f && mirror far seen && scan --exclude /far .; }
bound() { seen && mount --bind a seen && scan a && scan .; }
other_path() { seen && mount --bind a seen && scan seen && scan .; }
# A file system that finds a name in any case.
other_case()
{
	command -v mount.exfat-fuse >/dev/null && command -v mkfs.exfat >/dev/null || return
	mkdir exfat && truncate -s 4M "$base/image" && mkfs.exfat "$base/image" && loop=$(losetup -f --show "$base/image") || return
	mount.exfat-fuse "$loop" exfat && losetup -d "$loop" && cp -r a exfat/ && cd exfat && other=A && scan a A
}

# One image on two devices, each with a cache of its own: no attempt tells that it is one.
two_devices()
{
	seen && truncate -s 4M "$base/twice" && mkfs.ext4 -q -O ^metadata_csum_seed "$base/twice" && mount -o loop "$base/twice" a || return
	echo content >a/f && sync -f a/f && loop=$(losetup -f --show "$base/twice") && mount -o ro,noload "$loop" seen && losetup -d "$loop" && scan a seen
}

# Whether a file is seen twice rm and the script of rmsh try out, and keep it; -n can't, and keeps it as well.
matrix <<'END'
row         file ls         dups uniq uniq-x cont comp risk 1-vol redun report  du  sim mark rm-n hard soft rmsh vols rm-y
overlaid       1 unknown      -3   -3     -3    3    3    1     1     1    0-3 0/0  1/3    1    1    1    1   +0  1/0   +1
mirrored       1 unknown      -3   -3     -3    3    3    1     1     1    0-3 0/0  1/3    1    1    1    1   +0  1/0   +1
shown_twice    1 unknown      -3   -3     -3    3    3    1     1     1    0-3 0/0  1/3    1    1    1    1   +0  1/0   +1
true_copy      1 unknown      -3   -3     -3    3    3    1     1     1    0-3 0/0  1/3    1    1    1    1   +0  1/0   -0
network        1 unique       -0   +0     +0    3    2    1     1     1    0-0 0/0  0/2    1    1    1    1   -1  1/0   +1
bound          1 unique       -0   +0     +0    1    2    1     1     1    0-0 0/0  0/2    1    1    1    1   -1  1/0   +1
other_path     1 skipped      -3   -3     -3    2    2    2     2     2    ?-2 ?/2  0/2    2    2    2    2   -2  1/0   +2
other_case     1 unknown      -3   -3     -3    3    3    1     1     1    0-3 0/0  1/3    1    1    1    1   +0  2/0   +3
two_devices    1 unknown      -3   -3     -3    3    3    1     1     1    0-3 0/0  1/3    1    1    1    1   +0  1/0   +1
END
