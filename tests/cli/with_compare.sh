# SPDX-License-Identifier: MIT
# compare --with INDEX: A and B may lie in two indexes; what neither has read is read, and what can't be is not judged.
. "$srcdir/tests/cli/lib.sh"

other=$T/other.db
# other_scan ARG...: scan into the other index, which shares the secret.
other_scan()
{
	scan --db "$other" --secret-from "$TWINDEX_DB" "$@"
}
all='--same --moved --different --only-left --only-right -r'

mkdir -p mine/sub theirs/sub
printf 'the same' >mine/same
cp mine/same theirs/same
printf 'moved from' >mine/sub/from
cp mine/sub/from theirs/to
printf 'differs' >mine/differs
printf 'DIFFERS' >theirs/differs
printf 'one length.' >mine/sub/one
printf 'ONE length.' >theirs/sub/other
printf 'a size of its own' >theirs/alone
printf 'two here' >mine/a
cp mine/a mine/b
cp mine/a theirs/sub/a
: >mine/empty
: >theirs/empty
# Of these, a look at the first bytes tells the second from the others.
for f in mine/large theirs/large theirs/sub/like; do
	head -c 70000 /dev/zero >$f
done
printf '1' >>mine/large
printf '1' >>theirs/large
printf '2' >>theirs/sub/like
scan mine
other_scan theirs

run 2 compare mine theirs
err_has "'$T/work/theirs' is not in the index"
run 1 compare mine theirs --with "$other" $all
out <<END
! differs
~ a -> sub/a
~ b -> sub/a
~ sub/from -> to
< sub/one
> alone
> sub/like
> sub/other
= empty
= large
= same
END
err_lacks twindex
# The same from the other side, from the other index, and of two others.
run 1 compare theirs mine --with "$other" $all
out <<END
! differs
~ to -> sub/from
~ sub/a -> a
~ sub/a -> b
< alone
< sub/like
< sub/other
> sub/one
= empty
= large
= same
END
cp "$T/out" "$T/swapped"
run 1 compare --db "$other" theirs mine --with "$TWINDEX_DB" $all
out <"$T/swapped"
mkdir third
scan --db "$T/third.db" --secret-from "$other" third
run 1 compare --db "$T/third.db" theirs mine --with "$TWINDEX_DB" --with "$other" $all
out <"$T/swapped"
run 1 compare mine theirs --with "$other"
out_has "B: theirs (index $other, seen 20"
out_has 'B lacks 2 files (18 B) of A; A lacks 4 files'
run 1 compare mine theirs --with "$other" --json
out_has '"class":"moved"'
run 1 compare mine/sub/one theirs/sub/other --with "$other" --different -r
run 0 compare mine/same theirs/same --with "$other"
run 0 compare mine/large theirs/large --with "$other"
run 2 compare mine theirs/same --with "$other"
run 2 compare mine theirs/nothing --with "$other"
err_has "'$T/work/theirs/nothing' does not exist"
run 1 compare mine theirs --with "$other" -x theirs/sub --moved -r
out <<END
sub/from -> to
END
# Both in the other index: this one is not asked.
run 1 compare theirs/sub theirs --with "$other" --same -r
run 2 compare theirs theirs --with "$other"
err_has 'are one'

# What can't be read leaves open what has its size.
cp theirs/sub/other "$T/keep"
printf 'one LENGTH.' >theirs/sub/other
run 3 compare mine theirs --with "$other"
err_has 'not judged: 1 changed'
rm theirs/sub/other
run 1 compare mine theirs --with "$other" --only-right -r
out_lacks other
printf 'new' >theirs/new
run 3 compare mine theirs --with "$other" -v
err_has "not judged: $T/work/theirs/new (not in the index: scan again)"
rm theirs/new

# Names of both are no copies of themselves: one directory in two indexes; links are.
scan --db "$T/third.db" mine
run 2 compare mine mine
err_has 'are one'
run 3 compare mine mine --with "$T/third.db" $all -v
out </dev/null
err_has "not judged: $T/work/mine/large (reached by another path)"
ln mine/sub/one third/linked
scan mine
scan --db "$T/third.db" third
run 1 compare mine/sub third --with "$T/third.db" --moved -r
out <<END
one -> linked
END
run 2 compare mine mine --with "$T/third.db" --online
err_has 'are one'

# Another secret can't be compared.
scan --db "$T/foreign.db" theirs
run 2 compare mine theirs --with "$T/foreign.db"
err_has 'its hashes have another secret'
out </dev/null
