# SPDX-License-Identifier: MIT
# A root is who has its path, or, where that leads to no directory, who has its inode:
# replaced, moved, swapped, turned into a file, every root heals with the next scan.
. "$srcdir/tests/cli/lib.sh"

new()
{
	cd "$T/work" || exit 99
	rm -rf t o "$TWINDEX_DB"*
	mkdir t o
}

# index FILE...: these are all files of the index, and the index is in order.
index()
{
	for f; do
		echo "$T/work/$f"
	done >"$T/expected"
	rows 'SELECT path FROM file_view ORDER BY path'
	out <"$T/expected"
	run 0 check
}

# roots PATH...: these are all roots.
roots()
{
	for f; do
		echo "$T/work/$f"
	done >"$T/expected"
	rows 'SELECT path FROM root_view ORDER BY path'
	out <"$T/expected"
}

# Replaced by a new directory, and scanned from above: not there twice, not its own link.
new
mkdir t/s
echo only >t/s/f
scan t/s
mv t/s o/old
mkdir t/s
echo only >t/s/f
scan t
index t/s/f
run 0 uniques t
out <<END
$T/work/t/s/f
END
roots t t/s

# The same, and then scanned by itself.
new
mkdir -p t/s/t
echo 1 >t/s/t/f
scan t/s/t
mv t/s/t o/
mkdir t/s/t
echo 1 >t/s/t/f
scan t
scan t/s/t
scan
index t/s/t/f
roots t t/s/t

# One removed, another renamed to its place: two roots become one, which keeps its options.
new
mkdir t/u t/s
echo 1 >t/u/f
echo 2 >t/s/f
scan --max-size 1M t/u
scan t/s
mv t/u o/
mv t/s t/u
scan
index t/u/f
rows 'SELECT path, max_size FROM root_view'
out <<END
$T/work/t/u	1048576
END

# Swapped: the options stay with the path.
new
mkdir t/u t/s
echo 1 >t/u/f
echo 2 >t/s/g
scan --max-size 1M t/u
scan t/s
mv t/u o/x
mv t/s t/u
mv o/x t/s
scan
index t/s/f t/u/g
rows 'SELECT path FROM root_view WHERE max_size = 1048576'
out <<END
$T/work/t/u
END

# A nested root that moved within the outer one was found: nothing is missing.
new
mkdir -p t/a/s
echo 1 >t/a/s/f
echo 2 >t/a/s/g
scan t
scan --exclude /g t/a/s
mv t/a/s t/q
scan
err_lacks 'not there'
index t/q/f
roots t t/q

# It has moved out of all roots: it is missed, and keeps its path, also when what was above it is gone.
mv t/q o/q
run 3 scan
err_has "'$T/work/t/q': this root is missing"
index t/q/f
mv o/q t/z
scan
index t/z/f
roots t t/z

# What was above it is gone: its rows stay, those beside it go.
new
mkdir -p t/b/a
echo 1 >t/b/x
echo 2 >t/b/a/y
echo 3 >t/z
scan t/b/a
scan t
mv t/b o/
run 3 scan
err_has "'$T/work/t/b/a': this root is missing"
index t/b/a/y t/z
mv o/b t/
scan
index t/b/a/y t/b/x t/z

# What is above it is left out now: the same.
new
mkdir -p t/c/a
echo 1 >t/c/f
echo 2 >t/c/a/g
scan t
scan --hidden t/c/a
scan --exclude c t
index t/c/a/g
echo 22 >>t/c/f
scan
run 0 uniques t/c/a
scan --exclude /nothing t
index t/c/a/g t/c/f

# A root in a hidden directory of another one is known to a question about that.
new
mkdir t/.h
echo 1 >t/.h/f
echo 2 >t/g
scan --no-hidden t t/.h
scan
run 0 uniques t
run 0 ls t
out_lacks unknown

# New options for a root hold when it is given together with one above it, and for that alone.
new
mkdir -p t/A/x t/B/x
echo 1 >t/A/x/f
echo 2 >t/B/x/f
scan t/A
scan t
scan --exclude x t t/A
index
scan --exclude y t
index t/B/x/f

# A nested root's options decide about roots further down, not those of the outermost.
new
mkdir -p t/m/x
echo 1 >t/m/x/f
echo 2 >t/m/g
scan t
scan --exclude x t/m
scan t/m/x
index t/m/g t/m/x/f
echo 22 >>t/m/x/f
scan
run 0 uniques t/m/x

# A root that is a file or a link now: the others are scanned.
new
mkdir t/a t/b t/c
echo 1 >t/a/f
echo 2 >t/b/f
echo 3 >t/c/f
scan t/a t/b t/c
rm -r t/b
echo x >t/b
mv t/c o/
ln -s "$T/work/o/c" t/c
echo 2 >t/a/new
run 3 scan
err_has "'$T/work/t/b': this root is no longer a directory"
err_has "'$T/work/t/c': this root is no longer a directory"
out_has 'Not a directory'
index t/a/f t/a/new t/b/f t/c/f
# What the link leads to is the root that had moved there.
scan t/c
roots o/c t/a t/b

# A directory that is named beside the root above it, which has moved: that one's options hold, and leave it out.
new
mkdir -p t/a/s t/b/s
echo 1 >t/a/s/f
echo 2 >t/b/s/f
scan t
scan --exclude s t/a
mv t/a t/b/s/a
scan t/b/s/a/s t/b/s/a
roots t t/b/s/a t/b/s/a/s
index t/b/s/a/s/f t/b/s/f
scan
roots t t/b/s/a t/b/s/a/s
index t/b/s/a/s/f t/b/s/f

# An emptied root that had no files has lost nothing.
new
mkdir -p t/e
scan t
rmdir t/e
scan t
scan
