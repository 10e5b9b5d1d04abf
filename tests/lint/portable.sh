# SPDX-License-Identifier: MIT
# What is not POSIX stands in its facade alone: headers of one system by name here; calls are seen
# by the compiler of a build with --disable-linux-paths, which is shown no others.

cd "$srcdir/src" || exit 1
find . -name '*.[ch]' | sed 's|^\./||' | sort | xargs grep -nE '^[ \t]*#[ \t]*include <' |
"${AWK:-awk}" -F '[:<>]' '
BEGIN {
	split("assert ctype curses dirent errno fcntl fnmatch inttypes langinfo limits locale math poll pthread regex sched " \
	      "signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string strings sys/file sys/ioctl " \
	      "sys/resource sys/select sys/stat sys/statvfs sys/time sys/types sys/uio sys/wait termios time unistd wchar wctype " \
	      "config histedit sqlite3 xxhash zstd", posix, " ")
	for (i in posix)
		anywhere[posix[i] ".h"] = 1
	only["base/mem.c malloc.h"] = only["sys/attrs.c linux/fs.h"] = only["sys/attrs.c sys/xattr.h"] = 1
	only["sys/content.c xxh_x86dispatch.h"] = 1
	only["sys/digest.c gcrypt.h"] = only["ui/qr.c qrencode.h"] = only["sys/library.c dlfcn.h"] = 1
	only["sys/fs.c linux/openat2.h"] = only["sys/fs.c sys/syscall.h"] = only["sys/fs.c sys/sysmacros.h"] = 1
	only["sys/volume.c arpa/inet.h"] = only["sys/volume.c ifaddrs.h"] = 1
	only["sys/volume.c netinet/in.h"] = only["sys/volume.c sys/socket.h"] = 1
	only["archive/libarchive_functions.h archive.h"] = only["archive/libarchive_functions.h archive_entry.h"] = 1
	only["sys/jail.c linux/audit.h"] = only["sys/jail.c linux/filter.h"] = only["sys/jail.c linux/seccomp.h"] = 1
	only["sys/jail.c sys/mman.h"] = only["sys/jail.c sys/prctl.h"] = only["sys/jail.c sys/syscall.h"] = 1
	only["sys/mounted.c sys/sysmacros.h"] = only["sys/random.c sys/random.h"] = only["sys/rename.c sys/syscall.h"] = 1
	only["sys/reflink.c linux/fiemap.h"] = only["sys/reflink.c linux/fs.h"] = 1
	only["sys/volume_linux.c linux/fs.h"] = only["sys/volume_linux.c sys/sysmacros.h"] = 1
	only["sys/volume_linux.c sys/vfs.h"] = only["sys/volume_posix.c sys/mount.h"] = only["sys/volume_posix.c sys/param.h"] = 1
}
!($4 in anywhere) && !($1 " " $4 in only) {
	print "src/" $1 ":" $2 ": <" $4 "> is not POSIX: it belongs into a facade (sys/README), named in this lint"
	failed = 1
}
{ met[$1 " " $4] = 1 }
END {
	for (o in only)
		if (!(o in met)) {
			print "src/" o ": is not included any more: this lint names it"
			failed = 1
		}
	exit failed
}'
