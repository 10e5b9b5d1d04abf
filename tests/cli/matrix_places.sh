# SPDX-License-Identifier: MIT
# What every question and act says of a file whose copy lies where it may go by itself, or on another disk.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
[ "$(id -u)" != 0 ] || own_mounts
. "$srcdir/tests/cli/matrix.sh"

# Another build knows no file system by its mount.
mounts() { [ "$(id -u)" = 0 ] && is_linux; }
trash() { copy .Trash-7/files; scan .; }
cache() { copy .cache/x; scan .; }
tagged() { copy c/x; printf 'Signature: 8a477f597d28d172789f06886806bc55\n' >c/CACHEDIR.TAG; scan .; }
snapshot() { copy .snapshots/1/snapshot; scan .; }
# What lies in /tmp has copies in TMPDIR: the world of this row is at a place of its own.
temporary()
{
	mounts && mount --bind . /mnt && cd /mnt || return
	copy t
	as="env TMPDIR=$PWD/t"
	scan .
}
shared() { copy s && chmod 1777 s && scan .; }
of_others() { [ "$(id -u)" = 0 ] && copy s && chmod 1777 s && chown 65534:65534 s/f && scan .; }
memory() { mounts && lower tmpfs ramfs overlay && mkdir ram && mount -t tmpfs none ram && copy ram && scan .; }
ext4() { mounts && mkdir disk && truncate -s 4M "$base/$row.image" && mkfs.ext4 -q -F "$base/$row.image" && mount -o loop "$base/$row.image" disk; }
# The disk of an image is the one that its file lies on.
image() { ext4 && copy disk && scan .; }
offline() { ext4 && copy disk && scan . && umount disk; }
covered() { mounts && copy seen && scan . && mount -t tmpfs none seen; }

# A hard link of two copies loses nothing, wherever they lie but in a trash; a soft one would lose the content with its copy.
matrix <<'END'
row         file ls         dups uniq uniq-x cont comp risk 1-vol redun report  du  sim mark rm-n hard soft rmsh vols rm-y
trash          1 unique       -0   +0     +0    1    0    1     1     1    0-0 0/0  1/0    1    1    1    1   -1  2/0   +1
cache          1 unique       -0   +0     +0    1    0    1     1     1    1-0 0/0  1/0    1    1    0    1   -1  2/0   +1
tagged         1 unique       -0   +0     +0    1    0    1     1     1    1-0 0/0  1/0    1    1    0    1   -1  3/0   +1
snapshot       1 unique       -0   +0     +0    1    0    1     1     1    1-0 0/0  1/0    1    1    0    1   -1  2/0   +1
temporary      1 unique       -0   +0     +0    1    1    1     1     1    1-0 0/0  1/0    1    1    0    1   -1  2/0   +1
shared         0 dup          +0   -0     -0    0    0    0     1     0    1+0 8/0  1/0    0    0    0    0   +0  2/0   -0
of_others      1 unique       -0   +0     +0    1    1    1     1     1    1-0 0/0  1/0    1    1    1    1   -1  2/0   +1
memory         1 unique       -0   +0     +0    1    1    1     1     1    1-0 0/0  1/0    1    1    1    1   -1  1/0   +1
image          0 dup          +0   -0     -0    0    0    0     1     0    1+0 8/0  1/0    0    0    1    0   +0  1/0   -0
offline        1 unknown      -3   -3     -3    3    3    0     1     3    0-0 8/0  1/3    1    3    3    3   -3  1/0   +3
covered        1 unknown      -3   -3     -3    3    3    0     1     3    0-0 8/0  1/3    1    3    3    3   -3  2/0   +3
END
