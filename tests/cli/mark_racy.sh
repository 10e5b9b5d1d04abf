# SPDX-License-Identifier: MIT
# A file that may have changed unseen since it was read, by the same size and times, is read before it is marked
# drop, and so is the copy for which it would go; a mark whose content nobody had to read again is not called stale.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
# What is written through a map need not change the times; forge that by the index: its row gets the new times.
mkdir d
printf 'same' >d/a
printf 'same' >d/b
run 0 scan d
run 0 mark drop d/a
run 0 mark clear d/a
cat >write.py <<'END'
import mmap, subprocess, sys
with open('d/b', 'r+b') as f, mmap.mmap(f.fileno(), 0) as m:
    m[0:1] = b's'
    subprocess.run([sys.argv[1], 'scan', '-q', 'd'], check=True)
    m[0:1] = b'x'
    sys.exit(subprocess.run([sys.argv[1], 'mark', 'drop', sys.argv[2]]).returncode)
END
for name in d/a d/b; do
	printf 'same' >d/b
	"$PYTHON" -S write.py "$TWINDEX" $name >"$T/out" 2>"$T/err"
	[ $? -eq 1 ] || fail "$name is marked: $(cat "$T/out")"
done

# Only the hash was dropped: another one may have become that file's only copy, but it has the content that was marked.
rm -r d
mkdir d o
printf 'same' >d/a
printf 'same' >d/b
scan d
run 0 mark drop d/a
rm d/b
ln d/a o/l
scan d
run 0 marks -c "$T/work/"
out <<'END'
      drop         4 B  d/a (last: no copy is there that may be relied on, and is not marked drop)
0 to drop, 0 B to be freed on disk, 1 last
END
run 0 ls --json d
out_has '"mark":null'
printf 'same' >d/b
scan d
run 0 marks -c "$T/work/"
out_line '      drop         4 B  d/a'
