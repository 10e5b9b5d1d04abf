# SPDX-License-Identifier: MIT
# A file that has more bytes than its file system says is no copy of what it begins with.
. "$srcdir/tests/cli/lib.sh"

# Debian calls the module fusepy.
for python in "${PYTHON:-}" /usr/bin/python3 ''; do
	"${python:-false}" -c 'import fusepy' 2>/dev/null && module=fusepy && break
	"${python:-false}" -c 'import fuse; fuse.Operations' 2>/dev/null && module=fuse && break
done
[ -n "$python" ] || skip 'no Python with fusepy'
[ -w /dev/fuse ] || skip 'no /dev/fuse'
need fusermount3
cat >"$T/half.py" <<'END'
import errno, importlib, stat, sys

fuse = importlib.import_module(sys.argv[2])

# Each has twice the size that it says.
SIZES = {"small": 100, "page": 4096, "block": 262144, "large": 1000000}


class Half(fuse.Operations):
    def getattr(self, path, fh=None):
        if path == "/":
            return dict(st_mode=stat.S_IFDIR | 0o755, st_nlink=2)
        if path[1:] not in SIZES:
            raise fuse.FuseOSError(errno.ENOENT)
        return dict(st_mode=stat.S_IFREG | 0o644, st_nlink=1, st_size=SIZES[path[1:]], st_mtime=1e9, st_ctime=1e9)

    def readdir(self, path, fh):
        return [".", "..", *SIZES]

    def read(self, path, size, offset, fh):
        return b"x" * max(0, min(size, 2 * SIZES[path[1:]] - offset))


fuse.FUSE(Half(), sys.argv[1], foreground=True, direct_io=True)
END
mkdir m copies
trap 'fusermount3 -uz "$T/work/m" 2>/dev/null; cleanup' EXIT
"$python" "$T/half.py" m $module 2>"$T/fuse" &
i=0
while [ $i -lt 100 ] && [ ! -e m/small ]; do
	i=$((i + 1))
	sleep 0.1
done
[ -e m/small ] || skip "cannot mount here: $(cat "$T/fuse")"
for size in 100 4096 262144 1000000; do
	$AWK -v n=$size 'BEGIN { while (n-- > 0) printf "x" }' >copies/$size
done
run 3 scan --network --racy-window 0s .
for name in small page block large; do
	err_has "m/$name': "
done
run 3 report
out_has 'No duplicates are known.'
run 3 dups
out </dev/null
