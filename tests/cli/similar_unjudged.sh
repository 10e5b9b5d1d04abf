# SPDX-License-Identifier: MIT
# similar tells of each directory what could not be judged in it, with status 3, and leaves out what is gone.
. "$srcdir/tests/cli/lib.sh"
ordinary

mkdir -p a/sub b/sub c
for f in 1 2 3; do
	printf "this is file $f\n" | tee a/$f >b/$f
done
printf 'far down\n' | tee a/sub/4 >b/sub/4
scan .
run 0 similar
out_has ': twins'
# Changed, gone and new since the scan, on one side each.
printf 'THIS IS file 1\n' >a/1
run 3 similar
err_has 'not judged: 1 changed'
out <<END
54 B, 4 files: twins, as far as could be judged
100%  $T/work/a (1 not judged)
100%  $T/work/b

END
run 3 similar -v
err_has "not judged: $T/work/a/1 (changed)"
run 0 similar --no-check
out_lacks 'as far as'
rm a/1 b/sub/4
printf new >b/new
run 3 similar
out_has "$T/work/a (1 not judged)"
out_has "$T/work/b (2 not judged)"
err_has 'not judged: 1 new since the scan, 2 gone since the scan;'
run 3 similar --json
out_has '"unjudged":2'
printf 'this is file 1\n' >a/1
printf 'far down\n' >b/sub/4
rm b/new
scan .
run 0 similar

# A file that was empty may hold something by now.
: >a/empty
scan .
printf new >a/empty
run 3 similar
out_has "$T/work/a (1 not judged)"
rm a/empty
run 0 similar
scan .

# What lies elsewhere does not matter.
printf x >c/new
run 0 similar
rm c/new

# A directory that is gone says nothing.
mv b gone
run 3 similar
out </dev/null
err_has '1 pair left out: a directory is gone'
mv gone b
run 0 similar

# What could not be read may hold anything.
printf 'FAR down\n' >b/locked
chmod 000 b/locked
run 3 scan --racy-window 0s .
run 3 similar
out_has "$T/work/b (1 not judged)"
run 0 similar --no-check -q
out_has "$T/work/b (1 not judged)"
chmod 644 b/locked
rm b/locked
chmod 000 b/sub
run 3 scan --racy-window 0s .
run 3 similar
err_has "unreadable $T/work/b/sub/"
chmod 755 b/sub
scan .

# Hidden from the scan; symbolic links hold nothing.
mkdir a/.h
printf x >a/.h/x
ln -s 1 b/link
scan --no-hidden .
run 3 similar
err_has '1 directory hidden'
rm -r a/.h
scan --no-hidden .
run 0 similar
err_has '1 symbolic link'

# A third twin that is no longer one is not listed with the others.
cp -R a d
scan --no-hidden .
run 0 similar
out_has '3 twins'
printf 'THIS IS file 1\n' >d/1
run 3 similar
out <<END
54 B, 4 files: twins
100%  $T/work/a
100%  $T/work/b

END
err_has 'not judged: 1 changed'
rm -r d
scan --no-hidden .

# Without a directory: its twin, and so the pair, is not there.
run 0 similar -x b
out </dev/null
