# SPDX-License-Identifier: MIT
# --with INDEX: files of another index are copies and links like all others; what was not read is read for the answer.
. "$srcdir/tests/cli/lib.sh"

other=$T/other.db
# other_scan ARG...: scan into the other index, which shares the secret.
other_scan()
{
	scan --db "$other" --secret-from "$TWINDEX_DB" "$@"
}

mkdir mine theirs
printf 'both have this' >mine/unread
cp mine/unread theirs/copy
printf 'twice mine' >mine/a
cp mine/a mine/b
cp mine/a theirs/a
printf 'only mine' >mine/only
printf 'ONLY mine' >theirs/size
printf 'nobody else' >mine/single
: >mine/empty
scan mine
other_scan theirs

# Neither index has read the first one: no other file of it has its size.
run 0 uniques mine
out <<END
$T/work/mine/only
$T/work/mine/single
$T/work/mine/unread
END
run 0 uniques mine --with "$other"
out <<END
$T/work/mine/only
$T/work/mine/single
END
err_lacks twindex
run 0 dups mine --with "$other" -v
out <<END
$T/work/mine/a
            copy  $T/work/mine/b
            copy  $T/work/theirs/a (index $other)
$T/work/mine/b
            copy  $T/work/mine/a
            copy  $T/work/theirs/a (index $other)
$T/work/mine/unread
            copy  $T/work/theirs/copy (index $other)
END
run 0 dups mine --json --with "$other"
out_has '"copies":2'
run 0 uniques mine -x mine --with "$other"
out <<END
$T/work/mine/only
$T/work/mine/single
END
run 0 uniques mine -x theirs --with "$other"
out_has /mine/unread
run 0 uniques mine --in theirs --with "$other"
out_lacks /mine/a
run 1 contained mine theirs --with "$other"
out <<END
$T/work/mine/only
$T/work/mine/single
END
run 2 contained mine theirs
err_has 'is not in the index'
run 0 contained mine/a theirs --with "$other"
run 0 file mine/unread --with "$other"
run 1 file mine/unread
run 1 file mine/only --with "$other"
# A file of neither index.
cp mine/unread new
run 0 file new --with "$other"
out <<END
       dup  $T/work/new (not in the index)
            copy  $T/work/mine/unread
            copy  $T/work/theirs/copy (index $other)
END
printf 'ONLY mine' >new
run 0 file new --with "$other"
out <<END
       dup  $T/work/new (not in the index)
            copy  $T/work/theirs/size (index $other)
END
printf 'nothing like this' >new
run 1 file new --with "$other"
# A file of the other one, asked by this one.
run 1 file theirs/size --with "$other"
out <<END
    unique  $T/work/theirs/size (not in the index)
END
run 0 file theirs/copy --with "$other"
out <<END
       dup  $T/work/theirs/copy (not in the index)
            copy  $T/work/mine/unread
END

# A copy that is gone or has changed is none; what can't be read leaves it open.
rm theirs/copy
run 0 uniques mine --with "$other"
out_has mine/unread
printf 'BOTH have this' >theirs/copy
run 3 uniques mine --with "$other"
out_lacks mine/unread
run 3 uniques mine --with "$other" -v
err_has "not judged: $T/work/mine/unread (a file of its size can't be read now)"

# A link is no copy, whichever index has it.
printf 'linked' >mine/l
ln mine/l theirs/l
scan
other_scan theirs
run 0 ls mine/l --with "$other" -v
out <<END
    linked  $T/work/mine/l
            link  $T/work/theirs/l (index $other)
END
run 1 file mine/l --with "$other"
cp mine/l theirs/l2
other_scan theirs
run 0 file mine/l --with "$other"
out <<END
       dup  $T/work/mine/l
            link  $T/work/theirs/l (index $other)
            copy  $T/work/theirs/l2 (index $other)
END

# Another secret can't be compared; the index itself adds nothing.
scan --db "$T/foreign.db" theirs
run 2 uniques mine --with "$T/foreign.db"
err_has "'$T/foreign.db' can't be compared: its hashes have another secret; make it again with 'twindex --db"
out </dev/null
run 5 uniques mine --with "$T/nothing.db"
err_has '--with: '
run 0 uniques mine
cp "$T/out" "$T/alone"
run 0 uniques mine --with "$TWINDEX_DB" --with "$TWINDEX_DB"
out <"$T/alone"
run 2 du mine --with "$other"
