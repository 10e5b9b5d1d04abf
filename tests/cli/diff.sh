# SPDX-License-Identifier: MIT
# diff [SCAN [SCAN]]: what is new, changed, moved, gone and lost between scans; 0 nothing, 1 something, 3 not known of all.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/one d/two/sub
for f in a b c; do
	printf 'one of %s' "$f" >"d/one/$f"
	printf 'content %s' "$f" >"d/two/sub/$f"
done
printf 'twice' | tee d/twin >d/one/twin
scan d
run 1 diff
out_line 'from: before the first scan'
out_line "    new  $T/work/d/  (8 files, 61 B)"
scan d
run 0 diff
out_line 'Nothing changed.'

mv d/two d/old
mv d/one/a d/old/sub/moved
rm d/one/b d/one/twin
printf 'other bytes' >d/one/c
mkdir -p d/new/deep
printf 'fresh' >d/new/deep/x
printf 'too' >d/new/y
scan d
run 1 diff -c "$T/work/"
sed -i '/^from:/d; /^to:/d' "$T/out"
out <<'END'
        2 files        8 B  new
        1 file        11 B  changed
        4 files       35 B  moved
        2 files       13 B  gone
        2 files       16 B  of these: content with no copy left to rely on
    new  d/new/  (2 files, 8 B)
changed  d/one/c  (+3 B)
  moved  d/one/a -> d/old/sub/moved
  moved  d/two/ -> d/old/  (3 files, 27 B)
   gone  d/one/b
   gone  d/one/twin
   lost  d/one/b
   lost  d/one/c  (its old content)
END
run 1 diff --gone -c "$T/work/"
printf 'd/one/b\nd/one/twin\n' | out || exit
run 1 diff --new --each -c "$T/work/"
printf 'd/new/deep/x\nd/new/y\n' | out || exit
run 1 diff -0 --moved --new
printf '%s\0' "$T/work/d/new/" "$T/work/d/one/a" "$T/work/d/old/sub/moved" "$T/work/d/two/" "$T/work/d/old/" | out || exit
run 1 diff --format csv --lost -c "$T/work/"
printf '%s\r\n' 'class,type,maybe,files,size_before,size_after,before,before_b64,after,after_b64' \
	'"lost",file,0,1,8,,"d/one/b",,,' '"lost",file,0,1,8,11,"d/one/c",,"d/one/c",' | out || exit
run 1 diff --format ndjson --changed -c "$T/work/"
out_line '{"type":"change","class":"changed","directory":false,"maybe":false,"before":"d/one/c","after":"d/one/c","files":1,"size_before":8,"size_after":11}'
out_has '"lost":{"files":2,"bytes":16}'
run 0 diff --touched
run 1 diff --below d/new
out_has '2 files        8 B  new'
out_lacks 'gone'
run 1 diff --below d/two
out_has 'moved'
run 1 diff -x d/new -x d/old
out_lacks 'new'

# A copy that comes back is not lost; what came and went is no change; what was changed twice changed once.
printf 'one of b' >d/again
rm -r d/new
printf 'third' >d/one/c
scan d
run 1 diff 2 -c "$T/work/"
out_line '   lost  d/one/c  (its old content)'
out_line '  moved  d/one/b -> d/again'
out_lacks 'd/new'
out_lacks '   lost  d/one/b'
run 1 diff 2 3 --gone --new -c "$T/work/"
out_line '   gone  d/one/b'
out_line '    new  d/new/  (2 files, 8 B)'
run 1 diff 3 4 --gone -c "$T/work/"
printf 'd/new/  (2 files, 8 B)\n' | out || exit
run 0 diff 1 2
run 1 diff 7d
out_line 'from: before the first scan'
# Nothing has looked since.
run 3 diff 4
err_has "'$T/work/d' was not scanned since"
grep -qE '^to:   now, as of scan 4, 20[0-9-]+ [0-9:]+$' "$T/out" || fail "$(cat "$T/out")"
out_line 'Nothing is known to have changed.'

# What twindex itself removes is told at once.
printf 'twice' >d/one/twin
scan d
run 0 rm -q -y d/one/twin
run 3 diff 5 --gone -c "$T/work/"
out_line 'd/one/twin'
run 0 diff --lost

# What is left out by options, or could not be read, is not known.
scan --exclude 'c' d
run 3 diff
err_has '2 files were left out by options of a scan'

# What lies in a trash will be emptied: it is not somewhere.  What was moved there is moved.
mkdir -p bin/.Trash-7/files
printf 'thrown' | tee bin/x bin/y >bin/.Trash-7/files/x
printf 'moved' >bin/z
scan bin
rm bin/x
scan bin
run 0 diff --below bin --lost
rm bin/y
mv bin/z bin/.Trash-7/files
scan bin
run 1 diff --below bin -c "$T/work/"
out_line '   lost  bin/y'
out_line '  moved  bin/z -> bin/.Trash-7/files/z'
out_lacks 'lost  bin/z'

# ... nor does a copy in a cache, but for what was in one itself.
mkdir -p bin/.cache/a bin/.cache/b
printf 'kept by a program' | tee bin/photo >bin/.cache/a/photo
printf 'cached twice' | tee bin/.cache/a/c >bin/.cache/b/c
scan bin
rm bin/photo bin/.cache/b/c
scan bin
run 1 diff --below bin -c "$T/work/"
out_line '   lost  bin/photo'
out_lacks 'lost  bin/.cache'

run 2 diff 99
err_has 'there is no run 99'
run 2 diff yesterday
err_has 'neither the number of a scan nor an age'
run 2 diff 3 2
run 2 diff 1 2 3
run 2 diff --below nowhere

# A root that the last scan did not meet is named, whether a scan was or not.
mkdir other
printf 'beside' >other/x
scan other
run 3 diff -c "$T/work/"
err_has "'$T/work/d' was not scanned since"
err_lacks "'$T/work/other'"
run 1 diff --below other -c "$T/work/"
err_lacks 'was not scanned since'
