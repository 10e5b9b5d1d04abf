# SPDX-License-Identifier: MIT
# Where a fifth of the files changes in every run, the index grows by what is kept of one run, not of two:
# what goes makes room first.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
pages() { "$SQLITE3" -readonly "$1" 'PRAGMA page_count'; }
i=0
while [ $i -lt 2000 ]; do
	[ $((i % 100)) -ne 0 ] || mkdir -p d/$((i / 400))/$((i / 100))
	printf '%s of %s' $i 'a file with a past' >d/$((i / 400))/$((i / 100))/photo-number-$i.jpg
	i=$((i + 1))
done
scan --racy-window 0s d
run 0 --db "$T/none.db" scan -q --racy-window 0s --history 0 d
for round in 0 1 2 3; do
	touch d/$round/*/*
	scan --racy-window 0s d
	run 0 --db "$T/none.db" scan -q --racy-window 0s d
	with=$(pages "$TWINDEX_DB") without=$(pages "$T/none.db")
	[ $((with * 100)) -le $((without * 114)) ] || fail "round $round: $with pages, $without without history"
done
# Without a history all of it goes, and what the run itself changes is not kept; then it begins anew.
kept() { "$SQLITE3" -readonly "$TWINDEX_DB" 'SELECT (SELECT count(*) FROM file_before) + (SELECT count(*) FROM dir_before)'; }
[ "$(kept)" -gt 0 ] || fail 'nothing was kept'
rm -r d/0/0
scan d --history 0
[ "$(kept)" = 0 ] || fail "$(kept) entries are kept"
rm -r d/0/1
scan d --history 30d
[ "$(kept)" = 0 ] || fail "$(kept) entries of the run before the history are kept"
rm -r d/0/2
scan d
[ "$(kept)" = 101 ] || fail "$(kept) entries of a directory of 100 files"
run 1 diff -q
out_has d/0/2

# More directories go than are counted to make room: the entries of the run before go, those of this run are there.
export TWINDEX_DB="$T/many.db"
i=0
while [ $i -lt 200 ]; do
	mkdir -p many/$((i % 2))/$i
	for name in one two three "n$i"; do echo "$name of $i" >"many/$((i % 2))/$i/$name"; done
	i=$((i + 1))
done
echo stays >many/stays
scan --racy-window 0s many
run 0 --db "$T/bare.db" scan -q --racy-window 0s --history 0 many
for round in 0 1; do
	rm -r many/$round
	scan many
	run 0 --db "$T/bare.db" scan -q many
	of=$("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT count(*), count(DISTINCT run), count(DISTINCT dir), count(hash) FROM file_before;
		SELECT count(*) FROM dir_before WHERE parent IS NOT NULL AND run = (SELECT max(id) FROM scan)")
	[ "$of" = "$(printf '400|1|100|400\n101')" ] || fail "round $round: of 100 directories of 4 files there is $of"
	with=$(pages "$TWINDEX_DB") without=$(pages "$T/bare.db")
	[ $((with * 100)) -le $((without * 114)) ] || fail "round $round of directories: $with pages, $without without history"
	run 1 diff -q
	out_has many/$round/$((198 + round))
done
