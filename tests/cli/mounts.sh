# SPDX-License-Identifier: MIT
# What the tests of tests/cli that mount begin with, after lib.sh: . "$srcdir/tests/cli/mounts.sh"
#
#	own_mounts            the test goes on as root, with mounts that nobody else sees and that end with it
#	                      (another namespace that begins meanwhile would hold a disk that the test believes unmounted)
#	disk FILE DIR OPTION...   DIR is on a small new disk, whose ext4, made with these options, has an id of its own;
#	                      FILE holds it
#	flip_byte FILE PATH   a byte of the file that is PATH on the disk in FILE, which is not mounted, becomes another one
#	lossy_stick           stick/photo is a copy of photo and copy, on a disk that has lost it: memory has it still
#	overlay               fs/merged shows the files of fs/upper, and below them those of fs/lower
#	reflink_disk          fs is on a disk whose files can share blocks
#	each_reflink_disk FUNCTION   FUNCTION, with m on a new disk of each file system, $fs, whose files can share blocks;
#	                      reflink_disks names them, where they are not all
#	mount_ssh FROM DIR OPTION...   DIR shows the directory FROM by sshfs, from a server that is a child of it
#	exfat_disk DIR        DIR is on a new disk of exFAT, by a program in user space
#	released DIR          waits until a program in user space has removed below DIR what was open as it was unlinked
#	fill N BYTE           prints N KiB of one byte
#	power_disk TYPE N     m is on a disk of that type: what m/d has, N files, lies on it, m/e their copies, only just
#	                      written; $T/whole/N has the same
#	power_cut             what was not synced to that disk is lost, and it is mounted again
#
# All but the first have mounts of the test's own.

own_mounts()
{
	[ "$(id -u)" = 0 ] || skip 'only root may mount'
	need unshare mount
	[ -z "${mounts_are_own:-}" ] || return 0
	skip 'no mount namespaces'
}
# They are made at once where they can be, for the test begins anew with them: what came before would be tried twice.
if [ -z "${mounts_are_own:-}" ] && [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	trap - EXIT
	cleanup
	mounts_are_own=yes exec unshare -m sh "$srcdir/tests/cli/${0##*tests/cli/}"
fi

# Before the directory goes, for rm would empty what is mounted in it.
unmount()
{
	[ -z "${mounts_are_own:-}" ] || $AWK -v top="$T/" 'index($5, top) == 1 { m[++n] = $5 } END { while (n) print m[n--] }' /proc/self/mountinfo |
		while read -r mounted; do umount -l "$mounted"; done
}
trap 'cd / && unmount; cleanup' EXIT

disk()
{
	own_mounts
	need mkfs.ext4 truncate
	disk_file=$1 disk_dir=$2
	shift 2
	truncate -s 4M "$disk_file"
	mkfs.ext4 -q -F "$@" "$disk_file" 2>/dev/null || skip 'cannot make a file system'
	mount -o loop "$disk_file" "$disk_dir" 2>/dev/null || skip 'cannot mount here'
}

flip_byte()
{
	block=$(debugfs -R "blocks $2" "$1" 2>/dev/null | cut -d' ' -f1)
	size=$(debugfs -R stats "$1" 2>/dev/null | sed -n 's/^Block size: *//p')
	printf '!' | dd of="$1" bs=1 seek=$((block * size + 77)) conv=notrunc 2>/dev/null
}

lossy_stick()
{
	own_mounts
	need mkfs.ext4 "$PYTHON"
	mkdir -p stick
	truncate -s 16M image
	mkfs.ext4 -q -F image || skip 'cannot make a file system'
	mount -o loop image stick 2>/dev/null || skip 'cannot mount here'
	head -c 300000 /dev/urandom >photo
	cp photo stick/
	cp photo copy
	sync -f stick
	"$PYTHON" -S - <<-'END' || skip 'the bytes are not found in the image'
		import sys
		first = open("photo", "rb").read(4096)
		with open("image", "r+b") as f:
		    at = f.read().find(first)
		    if at < 0:
		        sys.exit(1)
		    f.seek(at)
		    f.write(b"\xff" * 290000)
	END
	cmp -s photo stick/photo || skip 'memory has lost it already'
}

overlay()
{
	own_mounts
	mkdir fs
	mount -t tmpfs none fs || skip 'no tmpfs here'
	mkdir fs/lower fs/upper fs/work fs/merged
	mount -t overlay -o "lowerdir=$T/work/fs/lower,upperdir=$T/work/fs/upper,workdir=$T/work/fs/work" none fs/merged ||
		skip 'no overlay file systems here'
}

reflink_disk()
{
	own_mounts
	need mkfs.xfs truncate
	mkdir fs
	truncate -s 320M disk
	{ mkfs.xfs -q -m reflink=1 disk && mount -o loop disk fs; } >/dev/null 2>&1 || skip 'no xfs here'
}

mount_ssh()
{
	ssh_server=/usr/lib/openssh/sftp-server
	need sshfs
	[ -x $ssh_server ] || skip "no $ssh_server"
	own_mounts
	printf '#!/bin/sh\nexec %s\n' $ssh_server >"$T/ssh"
	chmod +x "$T/ssh"
	ssh_from=$1 ssh_to=$2
	shift 2
	sshfs -o "ssh_command=$T/ssh" "$@" "localhost:$T/work/$ssh_from" "$ssh_to" 2>/dev/null || skip 'no sshfs here'
}

exfat_disk()
{
	own_mounts
	need mkfs.exfat mount.exfat-fuse losetup truncate
	truncate -s 16M exfat
	mkfs.exfat exfat >/dev/null 2>&1 || skip 'cannot make a file system'
	exfat_loop=$(losetup -f --show exfat 2>/dev/null) || skip 'no loop devices'
	mount.exfat-fuse "$exfat_loop" "$1" >/dev/null 2>&1 || {
		losetup -d "$exfat_loop"
		skip 'no FUSE here'
	}
	# It goes with the last mount.
	losetup -d "$exfat_loop"
}

released()
{
	released_turns=0
	while [ -n "$(find "$1" -name '.fuse_hidden*')" ] && [ $released_turns -lt 100 ]; do
		released_turns=$((released_turns + 1))
		sleep 0.1
	done
}

fill() { head -c $(($1 * 1024)) /dev/zero | tr '\0' "$2"; }

each_reflink_disk()
{
	own_mounts
	need truncate
	mkdir m
	tried=
	for fs in ${reflink_disks:-btrfs xfs}; do
		command -v mkfs.$fs >/dev/null || continue
		rm -f disk "$TWINDEX_DB"*
		truncate -s 320M disk
		case $fs in
		btrfs) mkfs.btrfs -q disk ;;
		xfs) mkfs.xfs -q -m reflink=1 disk ;;
		esac >/dev/null 2>&1 || continue
		mount -o loop disk m 2>/dev/null || continue
		tried=yes
		"$1"
		umount m
	done
	[ -n "$tried" ] || skip 'no file system that shares blocks'
}

power_disk()
{
	own_mounts
	need xfs_io truncate
	rm -f "$T/disk"
	mkdir -p m
	truncate -s 320M "$T/disk"
	case $1 in
	ext4) mkfs.ext4 -q -F "$T/disk" ;;
	xfs) mkfs.xfs -q -f "$T/disk" ;;
	esac || skip "no $1 here"
	mount -o loop "$T/disk" m 2>/dev/null || skip 'cannot mount here'
	mkdir m/d m/e
	[ -d "$T/whole/$2" ] || {
		mkdir -p "$T/whole/$2"
		for f in $(seq "$2"); do
			seq $f 20000 >"$T/whole/$2/$f"
		done
	}
	cp "$T/whole/$2"/* m/d
	sync -f m
	cp m/d/* m/e
}

power_cut()
{
	xfs_io -x -c shutdown m 2>/dev/null || skip 'no disk that can lose its power here'
	umount m && mount -o loop "$T/disk" m || fail 'cannot mount it again'
}
