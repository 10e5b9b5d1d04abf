# SPDX-License-Identifier: MIT
# similar --with INDEX: pairs of a directory of this index and one of another, as if one index had both.
. "$srcdir/tests/cli/lib.sh"

other=$T/other.db
mkdir mine theirs mine/pics mine/own theirs/old theirs/new
for i in 1 2 3 4 5; do
	echo "picture $i" >mine/pics/$i
	echo "picture $i" >theirs/old/$i
	echo "own $i" >mine/own/$i
	echo "mirror $i" >theirs/old/m$i
	echo "mirror $i" >theirs/new/m$i
done
# No other file of either index has its size: it is read for the answer.
printf 'a size of its own' >mine/pics/6
cp mine/pics/6 theirs/old/6
scan mine
scan --db "$other" --secret-from "$TWINDEX_DB" theirs
scan --db both.db "$PWD/mine" theirs

run 0 similar --with "$other" --min-share 1 -c "$T/work/"
out <<END
67 B, 6 files: contained
100%  mine/pics
 59%  theirs/old (index $other) (only here: 5 files, 45 B)

END
run 0 similar --db both.db --min-share 1 mine theirs -0
cp "$T/out" "$T/one"
run 0 similar --with "$other" --min-share 1 -0
cmp "$T/one" "$T/out" || fail 'another answer than that of one index'
run 0 similar --with "$other" --json
out_has "\"index\":\"$other\""
run 0 similar --with "$other" --format csv
out_has ',index,index_b64'
out_has "\"$other\","
# Pairs of the other one alone are not asked for, nor is what lies outside of DIR.
out_lacks theirs/new
run 0 similar --with "$other" mine/own
err_has 'no two directories there share so much'
run 2 similar --with "$other" nowhere
run 0 similar --with "$other" -x theirs/old
out </dev/null

# What both have is of this one: no pair with itself.
scan theirs
run 0 similar --with "$other" --min-share 1
out </dev/null
run 0 forget theirs
# A file that has changed, one that can't be read: said.
echo 'PICTURE 1' >theirs/old/1
run 3 similar --with "$other"
out_has 'as far as could be judged'
mv theirs drawer
run 3 similar --with "$other" -v
err_has "$T/work/theirs/old/6 (it is offline, and was not read before)"
scan --db "$T/foreign.db" mine
run 2 similar --with "$T/foreign.db"
err_has 'have another secret'
out </dev/null
