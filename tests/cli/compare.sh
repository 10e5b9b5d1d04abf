# SPDX-License-Identifier: MIT
# compare A B: what both have, what has moved, what differs, what only one has; 0 the same, 1 not, 3 not all judged.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/sub b/sub
for f in 1 2 3; do
	printf "file $f" >a/sub/$f
	printf "file $f" >b/sub/$f
done
: >a/empty
: >b/empty
scan .
run 0 compare a b
out <<END
A: a
B: b
        4 files       18 B  the same
B lacks nothing of A; A lacks nothing of B
END
err_lacks twindex
run 0 compare a b --only-left --only-right --moved --different
out </dev/null
run 0 compare --same -r a b
out <<END
empty
sub/1
sub/2
sub/3
END
run 0 compare a/sub/1 b/sub/1
run 1 compare a/sub/1 b/sub/2

# Each class; an empty file that the other has not at its path is only there.
mkdir b/new
mv b/sub/3 b/new/three
printf 'other' >b/sub/2
printf 'mine' >a/mine
printf 'yours' >b/yours
: >b/void
cp a/sub/1 b/one
ln a/mine a/mine2
scan .
run 1 compare a b
out <<END
A: a
B: b
        2 files        6 B  the same
        1 file         6 B  with other content, in B 5 B
        1 file         6 B  at another path, in B 2 files
        2 files        8 B  only in A
        2 files        5 B  only in B, 1 of them empty
B lacks 3 files (14 B) of A; A lacks 2 files (10 B) of B
END
run 1 compare --only-left a b
out <<END
$T/work/a/mine
$T/work/a/mine2
END
run 1 compare -r --only-right a b
out <<END
void
yours
END
run 1 compare -r --moved a b
out <<END
sub/3 -> new/three
sub/1 -> one
END
run 1 compare -r0 --moved a b
printf 'sub/3\0new/three\0sub/1\0one\0' | out
run 1 compare -r0 --different --only-left a b
printf 'sub/2\0mine\0mine2\0' | out
run 1 compare -0 --different a b
printf '%s\0' "$T/work/a/sub/2" "$T/work/b/sub/2" | out
run 1 compare -r --different --moved --only-left --only-right --same a b
out <<END
! sub/2
~ sub/3 -> new/three
~ sub/1 -> one
< mine
< mine2
> void
> yours
= empty
= sub/1
END
run 1 compare --format csv -r a b
printf '%s\r\n' class,left_size,right_size,left,left_b64,right,right_b64 '"different",6,5,"sub/2",,"sub/2",' \
	'"moved",6,6,"sub/3",,"new/three",' '"moved",6,6,"sub/1",,"one",' '"only-left",4,,"mine",,,' '"only-left",4,,"mine2",,,' \
	'"only-right",,0,,,"void",' '"only-right",,5,,,"yours",' | out
run 1 compare --json a b
out_has '"totals":{"left":{"different":{"files":1,"bytes":6},"moved":{"files":1,"bytes":6},"only-left":{"files":2,"bytes":8}'
out_has '"left":null,"right":"'
run 1 compare --format ndjson a b
out_has '{"type":"pair","class":"moved","left":"'
out_has '{"type":"totals","left":{'

# What only A has goes to B.
run 1 compare --only-left -0r a b
(cd a && cp --parents $(tr '\0' ' ' <"$T/out") ../b/) || fail 'cp'
scan .
run 1 compare --only-left a b
out </dev/null
# Any name.
n=$(printf 'new\nline\377')
printf 'hostile' >"a/$n"
scan .
run 1 compare --only-left -0r a b
printf '%s\0' "$n" | out
run 1 compare --json --only-left a b
out_has '"left_b64":"'
rm "a/$n"

# Without a part, which is as if it did not exist.
run 1 compare -r --only-right --moved a b -x b/new -x b/void
out <<END
~ sub/1 -> one
> yours
END

# One in the other: the files of the inner one are not of the outer.
run 1 compare . b -r --same --different --moved
out <<END
~ a/mine -> mine
~ a/mine2 -> mine2
~ a/sub/1 -> sub/1
~ a/sub/3 -> new/three
~ a/sub/1 -> one
END

# A link is the same file; one that has no hash of its own has that of its link.
mkdir l m
printf 'linked' >l/x
ln l/x m/x
ln l/x m/y
scan .
run 1 compare -r --same --moved l m
out <<END
~ x -> y
= x
END
run 2 compare a ./a
err_has 'are one'
run 2 compare a
run 2 compare a b l
run 2 compare a typo
err_has "'$T/work/typo' does not exist"
run 2 compare a/mine b
err_has 'is a file'
mkdir outside
run 2 compare a outside
err_has 'is not in the index: scan it first'

# What the other tree has only where it may go by itself is missing there, unless that place is named.
mkdir -p one/.cache/app two/.cache/app three
printf 'a picture' >one/p
cp one/p two/.cache/app/p
printf 'cached' | tee one/.cache/app/c >two/.cache/app/c
cp two/.cache/app/p three/p
scan one two three
run 1 compare one two
err_has '1 file has other copies only in a cache: not counted'
out_has 'B lacks 1 file (9 B) of A'
run 1 compare --only-left one two
out_line "$T/work/one/p"
run 1 compare three two/.cache/app
out_has 'B lacks nothing of A'
run 0 similar one two --min-share 1
out_has 'one'
run 0 similar three two
out_has "two/.cache/app (in a cache)"

# similar says of each directory, further twins too, why it may go where the others would not, be it a part of it.
mkdir -p w/one w/two w/three/.cache/app
printf 'twin' | tee w/one/t w/two/t >w/three/.cache/app/t
mkdir -p v/all v/part/.cache
printf 'kept' | tee v/all/a >v/part/a
printf 'not kept' | tee v/all/b >v/part/.cache/b
scan w v
run 0 similar w --min-share 1
out_line "100%  $T/work/w/three/.cache/app (in a cache)"
run 0 similar w --min-share 1 --json
grep -q 'w/three/.cache/app","[^}]*"why":"in a cache"' "$T/out" || fail 'JSON has no reason'
run 0 similar v --min-share 1
out_line "100%  $T/work/v/part (partly in a cache)"
