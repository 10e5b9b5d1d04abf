# SPDX-License-Identifier: MIT
# report --across --with INDEX: sets whose copies lie in several indexes; what others have is named, and frees nothing.
. "$srcdir/tests/cli/lib.sh"

other=$T/other.db
mkdir mine theirs
printf 'both have this' >mine/unread
cp mine/unread theirs/copy
printf 'three of it' >mine/a
cp mine/a mine/b
cp mine/a theirs/a
printf 'ours alone' >mine/x
cp mine/x mine/y
printf 'theirs only' >theirs/x
cp theirs/x theirs/y
printf 'linked' >mine/l
cp mine/l mine/m
ln mine/l theirs/l
printf 'large' >mine/large
printf 'LARGE' >theirs/large
scan mine
scan --db "$other" --secret-from "$TWINDEX_DB" theirs

# One that neither index has read is read for the answer.
run 0 report --across --with "$other" -c "$T/work/"
sed 's/ (.* on disk)//' "$T/out" >"$T/plain"
cat >"$T/want" <<END
3 copies of 11 B each, 22 B redundant in this index
  mine/a
  mine/b
  theirs/a (index $other)

2 copies of 14 B each, 14 B redundant in this index
  mine/unread
  theirs/copy (index $other)

2 copies of 6 B each, 6 B redundant in this index
  mine/l
  theirs/l (link) (index $other)
  mine/m

3 sets, 8 files, 42 B redundant in this index
END
diff "$T/want" "$T/plain" || fail 'another report'
err_lacks twindex
# Without --across, sets of this index alone, too; none is of the other alone.
run 0 report --with "$other" -c "$T/work/"
out_has mine/x
out_lacks theirs/x
# PATH may be of either.
run 0 report --across --with "$other" --format fdupes theirs/copy -c "$T/work/"
out <<END
mine/unread
theirs/copy

END
run 0 report --across --with "$other" -0 mine/unread
tr '\0' '\n' <"$T/out" | grep -q "^$T/work/theirs/copy\$" || fail 'no copy with NUL'
run 0 report --across --with "$other" --json mine/l
out_has "\"path\":\"$T/work/theirs/l\",\"kind\":\"link\""
out_has "\"index\":\"$other\",\"seen\":"
run 0 report --across --with "$other" --format ndjson
out_has '"redundant":42'
run 0 report --across --with "$other" --format csv mine/unread
out_has ",mark,index,index_b64"
out_has "theirs/copy\",,,\"$other\","
run 2 report --across --with "$other" nowhere
# What is asked of this index alone.
run 2 report --across
run 2 report --with "$other" --keep newest
err_has 'ask this index alone'
run 2 report --with "$other" --hardlink-is-copy
run 0 report --across --with "$TWINDEX_DB" mine theirs/..
scan --db "$T/foreign.db" theirs
run 2 report --across --with "$T/foreign.db"
err_has 'have another secret; make it again'
out </dev/null
# -x, --no-check.
run 0 report --across --with "$other" -x theirs/a -c "$T/work/" mine/a
out_has 'No duplicates'
run 3 report --across --with "$other" --no-check
err_has 'not judged: '
out_lacks mine/unread
out_has mine/a

# Gone, changed, offline, unread: no copy, and said.
rm theirs/copy
printf 'THREE of it' >theirs/a
run 0 report --across --with "$other" -c "$T/work/"
out_lacks unread
out_lacks mine/a
out_has '1 member gone or changed since the last scan'
# This index knows better: then nothing is to be said.
scan theirs
run 0 report --across --with "$other"
out_lacks 'gone or changed'
run 0 forget theirs
mv theirs drawer
run 3 report --across --with "$other" -v -c "$T/work/"
err_has "$T/work/theirs/large (it is offline, and was not read before)"
out_has 'No duplicates'
run 0 report --across --with "$other" --online
out_has 'No duplicates'
