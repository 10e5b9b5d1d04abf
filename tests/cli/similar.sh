# SPDX-License-Identifier: MIT
# similar: twins, the same under other names, contained and overlapping directories; folded; in six formats.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/x a/y c/deep
for f in 1 2 3 4 5; do
	printf "this is file $f\n" >a/x/$f
	printf "and this is $f\n" >a/y/$f
done
scan .
run 0 similar
out </dev/null
err_has 'no two directories share so much'

# Two mirrors are one pair, and not one for each directory below them.
cp -r a b
cp a/x/1 c/deep/one
cp a/x/2 c/deep/two
printf 'only here' >c/deep/three
: >b/x/empty
scan .
run 0 similar
out <<END
145 B, 10 files: twins
100%  $T/work/a
100%  $T/work/b

30 B, 2 files: overlapping
 40%  $T/work/a/x (only here: 3 files, 45 B) (and 1 twin)
 76%  $T/work/c/deep (only here: 1 file, 9 B)

END
run 0 similar --min-share 80 -0
tr '\0' ' ' <"$T/out" >"$T/paths"
[ "$(cat "$T/paths")" = "$T/work/a $T/work/b " ] || fail "not a pair: $(cat "$T/paths")"
run 0 similar --min-size 100 --format fdupes
out <<END
$T/work/a
$T/work/b

END
run 0 similar --top 1 --bytes
err_has '1 pair more: --top 0 shows all'

# With a directory it stands left; with two, it is about what lies between these.
run 0 similar c
out <<END
30 B, 2 files: overlapping
 76%  $T/work/c/deep (only here: 1 file, 9 B)
 40%  $T/work/a/x (only here: 3 files, 45 B) (and 1 twin)

END
run 0 similar b/y a
out <<END
70 B, 5 files: twins
100%  $T/work/b/y
100%  $T/work/a/y

END
run 0 similar c/deep a/y
out </dev/null
err_has 'no two directories there share so much'

# Names that must agree, and names that need not.
run 0 similar --names c
out </dev/null
rm -r b c
mkdir b
for f in 1 2 3 4 5; do
	mv a/y/$f a/y/0$f
	cp a/x/$f b/$f.bak
done
scan .
run 0 similar
out <<END
75 B, 5 files: the same under other names
100%  $T/work/a/x
100%  $T/work/b

END
run 0 similar --names
out </dev/null

# Three twins are one group, links are told, and a directory in another is contained in it.
rm -r a b
mkdir -p a/in b c z
printf 'abcdef' >a/in/f
printf 'rest' >a/in/g
cp a/in/f z
ln a/in/f b
ln a/in/g b
cp -r b c
scan .
run 0 similar
out <<END
10 B, 2 files: 3 twins (2 files, 10 B: hard links, which free nothing)
100%  $T/work/a/in
100%  $T/work/b
100%  $T/work/c/b

6 B, 1 file: contained
 60%  $T/work/a/in (only here: 1 file, 4 B) (and 2 twins)
100%  $T/work/z

END
run 0 similar --top 1 -0
[ "$(tr '\0' ' ' <"$T/out")" = "$T/work/a/in $T/work/b $T/work/a/in $T/work/c/b " ] || fail 'no pairs of a group'
run 0 similar --top 1 --format ndjson
out <<END
{"type":"similar","kind":"twins","contents":2,"bytes":10,"linked":2,"linked_bytes":10,"left":{"path":"$T/work/a/in","files":2,"bytes":10,"shared_files":2,"shared_bytes":10,"share":100.0,"unjudged":0,"twins":1},"right":{"path":"$T/work/b","files":2,"bytes":10,"shared_files":2,"shared_bytes":10,"share":100.0,"unjudged":0,"twins":1},"twins":[{"path":"$T/work/c/b"}]}
{"type":"verdict","verdict":"done","exit":0,"not_judged":{},"unfinished":false}
END
run 0 similar --top 1 --format csv
out_has '1,"twins",,,,,'

# Usage.
run 2 similar --min-share 0
err_has 'a percentage is from 1 to 100'
run 2 similar --min-share 101
run 2 similar nowhere
err_has "'$T/work/nowhere'"
run 2 similar a/in/f
err_has 'is not a directory'
