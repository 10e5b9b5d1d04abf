# SPDX-License-Identifier: MIT
# The rows of export are those of the public views; with sizes and scan --hash-sizes two machines find what they have
# in common.
. "$srcdir/tests/cli/lib.sh"
need "$PYTHON" zstd

mkdir -p a/x a/y b
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	echo "content $((i % 5))" >a/x/$i
	echo "another $((i % 3)) $((i % 2))" >a/y/$i
	ln a/x/$i a/y/link$i
done
ln a/x/1 a/x/again
: >a/empty
printf 'only here' >a/alone
printf 'on both machines' | tee a/common >b/common
printf 'of one size' >a/size
printf 'of_one_size' >b/size
printf 'this one is of b alone' >b/alone
scan a
for format in parquet ndjson csv; do
	mkdir -p x/$format
	run 0 export --host a --out x/$format --format $format -w keys -w files -w sizes
done
for kind in keys files sizes; do
	"$PYTHON" -SB "$srcdir/tests/cli/export_same.py" x $kind >"$T/$kind" 2>&1 || fail "$kind: $(cat "$T/$kind")"
done
# same KIND: the rows of KIND, as the expression makes lines of them, are those of the last query.
same()
{
	"$PYTHON" -SB -c "
import json, sys
for line in sys.stdin:
	r = json.loads(line)
	h = None if r.get('hash_hi') is None else '%016x%016x' % (r['hash_hi'] % 2**64, r['hash_lo'] % 2**64)
	print(*($2), sep='|')" <"$T/$1" | sort >"$T/got"
	tr '\t' '|' <"$T/out" | sort | diff "$T/got" - || fail "$1"
}
rows "SELECT hash, size, count(DISTINCT inode), count(*) FROM file_view WHERE hash IS NOT NULL AND size > 0 GROUP BY 1, 2"
[ "$(wc -l <"$T/out")" -eq 11 ] || fail "contents: $(cat "$T/out")"
same keys "h, r['size'], r['inodes'], r['names']"
rows "SELECT size, count(DISTINCT inode), count(DISTINCT CASE WHEN hash IS NULL THEN inode END) FROM file_view WHERE size > 0 GROUP BY 1"
same sizes "r['size'], r['files'], r['unread']"
rows "SELECT coalesce(hash, 'None'), size, inode, mtime, path FROM file_view"
same files "h, r['size'], r['inode'], r['mtime'], r['dir'] + '/' + r['name']"

# Another machine with this secret: each reads the sizes that both have, and the common content has one hash.
run 0 --db "$T/b.db" --secret-from "$TWINDEX_DB" scan -q --racy-window 0s b
run 0 --db "$T/b.db" export --host b --out x/csv --format csv -w sizes
cut -d, -f1 x/csv/a-1/kind=sizes/*.csv | sort >"$T/a.sizes"
cut -d, -f1 x/csv/b-1/kind=sizes/*.csv | sort | comm -12 - "$T/a.sizes" | grep -v size >"$T/both"
[ "$(tr '\n' ' ' <"$T/both")" = '11 16 ' ] || fail "sizes of both: $(cat "$T/both")"
scan --hash-sizes "$T/both"
out_line 'read        2 files, 27 B'
run 0 --db "$T/b.db" scan --racy-window 0s --hash-sizes - <"$T/both"
out_line 'read        2 files, 27 B'
run 0 export --host a --out x/csv --format csv
run 0 --db "$T/b.db" export --host b --out x/csv --format csv
cat x/csv/a-2/kind=keys/*/*.csv | cut -d, -f1-3 | sort >"$T/a.keys"
cat x/csv/b-2/kind=keys/*/*.csv | cut -d, -f1-3 | sort | comm -12 - "$T/a.keys" | grep -v size | uniq >"$T/both"
[ "$(wc -l <"$T/both")" -eq 1 ] || fail "contents of both: $(cat "$T/both")"
[ "$(cut -d, -f3 <"$T/both" | tr -d '\r')" = 16 ] || fail "contents of both: $(cat "$T/both")"
