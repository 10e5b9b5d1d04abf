# SPDX-License-Identifier: MIT
# redundant: a link elsewhere keeps a content, but nothing is freed; one outside of the index, which may be
# gone or lie in a trash, only with --outside-links.
. "$srcdir/tests/cli/lib.sh"

mkdir -p scanned/a/in scanned/b other
printf 'linked' >scanned/a/in/1
ln scanned/a/in/1 scanned/b/1
printf 'far' >scanned/a/2
ln scanned/a/2 other/far
printf 'own' >scanned/own
scan scanned
run 1 redundant -c "$T/work/" scanned/a
out <<END
       6 B  scanned/a/in
            its only file is also in scanned/b
            frees 0 B: the rest has links outside of it
1 directory can go: 1 file, 0 B to be freed.
END
run 0 redundant --outside-links -c "$T/work/" scanned/a
out <<END
       9 B  scanned/a
            both files are also in scanned/b (1), and linked from outside of the index (1)
            frees 0 B: the rest has links outside of it
1 directory can go: 2 files, 0 B to be freed.
END
# One that nobody had to read is kept by its link all the same.
run 1 redundant -0 -x scanned/b scanned/a
out </dev/null
# Two links in it, and none outside: its content would be lost, but not with one of them.
rm scanned/b/1
ln scanned/a/in/1 scanned/a/1
scan scanned
run 1 redundant -c "$T/work/" scanned/a
out <<END
       6 B  scanned/a/in
            its only file is also directly in scanned/a
            frees 0 B: the rest has links outside of it
1 directory can go: 1 file, 0 B to be freed.
END
rm scanned/a/in/1
# Together they free what neither frees alone.
mkdir scanned/c scanned/d
printf 'both' >scanned/c/1
ln scanned/c/1 scanned/d/2
cp scanned/c/1 scanned/2
scan scanned
run 0 redundant -c "$T/work/"
out <<END
       4 B  scanned/d
            its only file is also directly in scanned
            frees 0 B: the rest has links outside of it
       4 B  scanned/c
            its only file is also directly in scanned
            frees 0 B: the rest has links outside of it
2 directories can go together: 2 files, 4 B to be freed.
END

# Links that were scanned in parts.  A name that only an earlier scan has met is no link outside of the index,
mkdir -p parts/first parts/later
printf q >parts/first/x
scan parts
ln parts/first/x parts/later/x
printf more >>parts/later/x
scan parts/later
run 1 redundant --outside-links -0 parts
out </dev/null
# and one of which nobody knows what it holds by now is not passed over.
mkdir -p halves/old/a halves/keep/one halves/keep/two
printf q >halves/old/x
cp halves/old/x halves/keep/x
printf 'unread once' >halves/old/a/f
scan halves
ln halves/old/a/f halves/keep/one/f
scan halves/keep/one
ln halves/old/a/f halves/keep/two/f
printf Z | dd of=halves/keep/two/f conv=notrunc 2>/dev/null
scan halves/keep/two
run 3 redundant -0 halves/old
out </dev/null
