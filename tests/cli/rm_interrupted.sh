# SPDX-License-Identifier: MIT
# rm that is interrupted stops behind the file in hand: all others are as they were, and the index and the journal know.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in 1 2 3 4; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
hold renameat2 2 rm -r d --yes
kill -INT "$held"
resume 130
out_has '2 files removed'
[ "$(ls d | wc -l)" -eq 2 ] && [ "$(ls e | wc -l)" -eq 4 ] || fail "left: $(ls d e)"
[ -z "$(find . -name '.twindex*')" ] || fail "left behind: $(find . -name '.twindex*')"
[ "$(cut -f 1 "$TWINDEX_DB-acts" | sort | uniq -c | tr -s ' \n' ' ')" = ' 1 end 2 not 4 remove 1 run 1 twindex acts 1 ' ] ||
	fail "the journal: $(cat "$TWINDEX_DB-acts")"
run 0 check
run 0 rm -r d --yes
out_has '2 files removed'

# The same in the second of several batches, when the next one is open and proven already.
f=4
while [ $f -lt 20 ]; do
	f=$((f + 1))
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
(ulimit -n 40 && hold renameat2 4 rm -r d --yes && kill -INT "$held" && resume 130) || exit
[ "$(ls d | wc -l)" -eq 12 ] && [ "$(ls e | wc -l)" -eq 20 ] || fail "left: $(ls d e)"
run 0 check
run 0 rm -r d --yes
out_has '12 files removed'
