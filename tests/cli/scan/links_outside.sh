# SPDX-License-Identifier: MIT
# A scan of a part learns what the names elsewhere of its inodes are: those that still tell what they
# are have its content, those that do not are changed.
. "$srcdir/tests/cli/lib.sh"

# fill FILE BYTE: 20000 of it.
fill()
{
	head -c 20000 /dev/zero | tr '\0' "$2" >"$1"
}

# Read again, because what is racy may have changed without a trace.
mkdir d1 d2
fill d1/c y
fill d1/a y
ln d1/a d2/a
{
	printf x
	head -c 19999 /dev/zero | tr '\0' y
} >d1/b
cat >write.py <<'END'
import mmap, subprocess, sys
with open('d1/a', 'r+b') as f, mmap.mmap(f.fileno(), 0) as m:
    m[0:1] = b'x'
    subprocess.run([sys.argv[1], 'scan', '-q', 'd1', 'd2'], check=True)
    m[0:1] = b'y'
END
"$PYTHON" -SB write.py "$TWINDEX" || fail 'the file cannot be written'
scan d1
run 0 check -q
run 0 ls -c "$T/work/" d1 d2
out <<'END'
       dup  d1/a
    unique  d1/b
       dup  d1/c
       dup  d2/a
END

# A change that shows: the row elsewhere is stale.
rm -r d1 d2
mkdir d1 d2
fill d1/c y
fill d1/a x
ln d1/a d2/a
run 0 forget d1
run 0 forget d2
scan --racy-window 0s d1 d2
fill d1/a y
scan --racy-window 0s d1
run 0 check -q
run 0 ls -c "$T/work/" d1 d2
out <<'END'
       dup  d1/a
       dup  d1/c
   changed  d2/a
END
