# SPDX-License-Identifier: MIT
# An index whose writer was killed within a transaction: truth.py reads in it what was there before, and leaves
# its journal for the program, which then answers the same.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
mkdir t
for i in 0 1 2 3 4 5 6 7 8 9; do
	for j in 0 1 2 3 4 5 6 7 8 9; do
		printf '%s' $i$j >"t/a_name_long_enough_to_fill_pages_of_the_index_with_a_hundred_of_them_$i$j"
	done
done
scan t
"$PYTHON" -SB - "$srcdir" "$TWINDEX_DB" "$T/hot.db" <<'END' || fail 'truth.py'
import os, shutil, sqlite3, sys
sys.path.insert(0, sys.argv[1] + '/tests/agree')
from truth import Index
db, hot = sys.argv[2:]
whole = Index(db).rows
c = sqlite3.connect(db, isolation_level=None)
for s in ('PRAGMA journal_mode = DELETE', 'PRAGMA cache_size = 1', 'BEGIN IMMEDIATE', 'UPDATE file SET size = 9'):
    c.execute(s)
for suffix in ('', '-journal'):
    shutil.copyfile(db + suffix, hot + suffix)
c.execute('ROLLBACK')
journal = os.path.getsize(hot + '-journal')
assert journal > 8192, 'no journal: %d' % journal
found = Index(hot).rows
assert len(found) == len(whole) == 100 and all(r.size == 2 for r in found.values()), 'not what was there before'
assert os.path.getsize(hot + '-journal') == journal, 'the journal was played back'
END
run 0 ls t
cp "$T/out" "$T/whole"
run 0 ls t --db "$T/hot.db"
out <"$T/whole"
