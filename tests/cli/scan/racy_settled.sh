# SPDX-License-Identifier: MIT
# On ext4, xfs and btrfs a file that changed a moment ago is not racy if nobody has it open for writing, or mapped:
# the next scan reads nothing again.  One that somebody can write to is.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
need "$PYTHON"

cases()
{
	rm -f "$TWINDEX_DB"*
	for f in 1 2 3 4 5 6 7 8 9; do
		printf 'same' >m/$f
	done
	# The clock of file times goes on.
	sleep 0.1
	run 0 scan m
	out_line 'read        9 files, 36 B'
	run 0 scan
	out_line 'read        0 files, 0 B'
	out_lacks again
	# A window that was asked for holds as it is.
	rm -f "$TWINDEX_DB"*
	printf 'same' >m/1
	run 0 scan --racy-window 60s m
	run 0 scan --racy-window 60s
	out_line 'read        9 files, 36 B'
	out_line 'again       9 of these, .*'

	# refresh reads by the same rule.
	rm -f "$TWINDEX_DB"*
	run 0 scan m
	printf 'SAME' >m/1
	sleep 0.1
	run 0 refresh
	out_line 'read        1 file, 4 B'
	run 0 refresh
	out_line 'read        0 files, 0 B'
	printf 'same' >m/1
	run 0 refresh --racy-window 60s
	run 0 refresh
	out_line 'read        1 file, 4 B'

	# digest, and scan --digest.
	if "$TWINDEX" version | grep -q '^libgcrypt [0-9]'; then
		rm -f "$TWINDEX_DB"*
		printf 'same' >m/2
		sleep 0.1
		run 0 scan --digest sha256 m
		run 0 digest
		out_line 'computed    0 files, 0 B'
		printf 'SAME' >m/3
		run 0 refresh
		sleep 0.1
		run 0 digest
		out_line 'computed    1 file, 4 B'
		run 0 digest
		out_line 'computed    0 files, 0 B'
		run 0 digest --racy-window 120s
		out_line 'computed    9 files, 36 B'
		# Whoever has it open may write to it at once.
		exec 9>>m/4
		printf 'x' >&9
		run 0 refresh
		run 0 digest
		run 0 digest
		out_line 'computed    1 file, 5 B'
		exec 9>&-
		printf 'same' >m/3
		printf 'same' >m/4
	fi

	# Open for writing, one is as it is everywhere else.
	rm -f "$TWINDEX_DB"*
	exec 9>>m/5
	run 0 scan m
	run 0 scan
	out_line 'read        1 file, 4 B'
	out_line 'again       1 of these, .*'
	exec 9>&-
	run 0 scan
	out_line 'read        1 file, 4 B'
	run 0 scan
	out_line 'read        0 files, 0 B'

	# A mapping that was written to before a scan is written to after it: first, and between each two scans;
	# kept and made anew.
	rm -f "$TWINDEX_DB"*
	printf 'AAAA' >m/a
	printf 'AAAA' >m/b
	"$PYTHON" -S - "$TWINDEX" <<-'END' || fail "$fs: a store through mmap went unseen"
		import mmap, os, subprocess, sys
		def scan():
		    return subprocess.run([sys.argv[1], 'scan', 'm'], stdout=subprocess.PIPE, check=True).stdout.decode()
		def state():
		    p = subprocess.run([sys.argv[1], 'file', '--format', 'json', 'm/b'], stdout=subprocess.PIPE)
		    return p.returncode
		def store(m, byte):
		    if m is not None:
		        m[:] = byte
		        return
		    with open('m/b', 'r+b') as f, mmap.mmap(f.fileno(), 0) as m:
		        m[:] = byte
		rounds = 3 if os.environ.get('EVERY_KIND') else 1
		with open('m/b', 'r+b') as f, mmap.mmap(f.fileno(), 0) as kept:
		    for round, m in enumerate((kept,) * rounds):
		        for byte, other, expected in ((b'BBBB', b'AAAA', 0), (b'AAAA', b'BBBB', 1)):
		            store(m, byte)
		            scan()
		            store(m, other)
		            out = scan()
		            if state() != expected:
		                sys.exit('kept, %d: %s: status %d\n%s' % (round, byte, state(), out))
		for round in range(rounds):
		    for byte, other, expected in ((b'BBBB', b'AAAA', 0), (b'AAAA', b'BBBB', 1)):
		        store(None, byte)
		        scan()
		        store(None, other)
		        out = scan()
		        if state() != expected:
		            sys.exit('anew, %d: %s: status %d\n%s' % (round, byte, state(), out))
	END
	run 0 check
	rm -f m/a m/b
}

mkdir -p m
if command -v mkfs.ext4 >/dev/null; then
	fs=ext4
	truncate -s 64M ext4
	if mkfs.ext4 -q -F -I 256 ext4 2>/dev/null && mount -o loop ext4 m 2>/dev/null; then
		cases
		umount m
	fi
fi
rmdir m
each_reflink_disk cases
