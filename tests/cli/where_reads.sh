# SPDX-License-Identifier: MIT
# where reads little of a large index: of all names one page for a whole name, all of them with few reads for a
# pattern; an index without their order, as older ones are, gives the same answers by a look at every directory.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
need strace
# shellcheck disable=SC2046
mkdir $(seq -f dir_%g 0 39)
$AWK 'BEGIN { for (d = 0; d < 40; d++) for (i = 1; i <= 350; i++) printf "dir_%d/some_name_%d-%d.txt\n", d, d, i }' | xargs touch
printf 'x' >dir_7/one.txt
scan -q .

# reads COUNTED ARG...: the reads of the index that twindex ARG... makes are not more than that.
reads()
{
	most=$1
	shift
	ASAN_OPTIONS=detect_leaks=0 strace -f -o "$T/trace" -e trace=pread64 "$TWINDEX" "$@" >"$T/out" 2>"$T/err"
	n=$(grep -c 'pread64(' "$T/trace")
	[ "$n" -gt 0 ] || skip 'no strace that tells of reads'
	[ "$n" -le "$most" ] || fail "$n reads, not $most: $*"
}

reads 40 where one.txt
out <<END
$T/work/dir_7/one.txt
END
reads 40 where '*ne.t*'
out <<END
$T/work/dir_7/one.txt
END
reads 40 where -i '*NE.T*'
out <<END
$T/work/dir_7/one.txt
END
reads 40 where '*no such part*'
out </dev/null
reads 40 where 'some_name_33-256.txt'
out <<END
$T/work/dir_33/some_name_33-256.txt
END

# A question about one directory does not go through all sizes to find which are caches; one with a tag is found.
mkdir -p many tagged/cache && printf 'Signature: 8a477f597d28d172789f06886806bc55\n' >tagged/cache/CACHEDIR.TAG
$AWK 'BEGIN { for (i = 1; i <= 8000; i++) { file = sprintf("many/%060d", i); print file >file; close(file) } }' || fail 'awk'
echo 'kept in a cache' >tagged/cache/kept && cp tagged/cache/kept alone
scan -q .
reads 100 ls dir_7
reads 100 file alone
out_has 'its only other copy is in a cache'
# ... nor before the first scan has put names in order.
cp "$TWINDEX_DB" "$T/early.db"
"$SQLITE3" "$T/early.db" 'DROP TABLE name_block; DROP TABLE name_place; DROP TABLE name_added' || fail 'sqlite3'
reads 100 --db "$T/early.db" ls dir_7
reads 100 --db "$T/early.db" file alone
out_has 'its only other copy is in a cache'
run 0 --db "$T/early.db" report
cp "$T/out" "$T/early"
run 0 report
cmp -s "$T/out" "$T/early" || fail 'other sets without the order of names'
# ... nor does it look for other names of files that have one before a first scan has made the indexes on contents.
if [ -n "${EVERY_KIND:-}" ]; then
	"$SQLITE3" "$T/early.db" "DROP INDEX file_content; DROP INDEX file_unread; UPDATE file SET hash = NULL; UPDATE meta SET value = 2 WHERE key = 'pending'" || fail 'sqlite3'
	(ulimit -t 10 && "$TWINDEX" --db "$T/early.db" ls many >"$T/out" 2>"$T/err")
	[ "$(grep -c /many/ "$T/out")" -eq 8000 ] || fail 'not all files, or not in 10 seconds of a processor'
fi
echo no >tagged/cache/CACHEDIR.TAG
scan -q .
run 0 file alone
rm tagged/cache/CACHEDIR.TAG
scan -q .
run 0 file alone
rm -r many tagged alone
scan -q .

# What came since is found, and what went is not.
printf 'y' >dir_3/one.txt
mv dir_7 dir_8000
scan -q .
rm dir_33/some_name_33-256.txt
scan -q .
reads 40 where one.txt
out <<END
$T/work/dir_3/one.txt
$T/work/dir_8000/one.txt
END
run 1 where some_name_33-256.txt
run 0 where --type dir 'dir_[78]*'
out <<END
$T/work/dir_8/
$T/work/dir_8000/
END
[ "$("$SQLITE3" "$TWINDEX_DB" 'SELECT count(*) FROM name_added')" -gt 0 ] || fail 'all names were put in order again'
run 0 check

# Without their order.
cp "$TWINDEX_DB" "$T/old.db"
"$SQLITE3" "$T/old.db" 'DROP TABLE name_block; DROP TABLE name_place; DROP TABLE name_added; VACUUM' || fail 'sqlite3'
for name in one.txt '*ne.t*' 'dir_[78]*' 'some_name_3-1?.txt' '*_12-*' '*' 'dir_3/*.txt'; do
	in_turn || continue
	run 0 where "$name"
	mv "$T/out" "$T/by_names"
	run 0 --db "$T/old.db" where "$name"
	cmp -s "$T/out" "$T/by_names" || fail "other answers: $name"
done
run 0 --db "$T/old.db" scan -q .
[ "$("$SQLITE3" "$T/old.db" 'SELECT count(*) FROM name_block')" -gt 0 ] || fail 'a scan has left no order of names'
run 0 --db "$T/old.db" check

# One that is damaged is refused, found by check, and made anew.
cp "$TWINDEX_DB" "$T/bad.db"
"$SQLITE3" "$T/bad.db" "UPDATE name_place SET places = x'00'" || fail 'sqlite3'
run 5 --db "$T/bad.db" where one.txt
err_has 'has no valid places for its names'
run 5 --db "$T/bad.db" check
run 0 --db "$T/bad.db" check --repair
run 0 --db "$T/bad.db" where dir_3/one.txt
cp "$TWINDEX_DB" "$T/bad.db"
"$SQLITE3" "$T/bad.db" "DELETE FROM name_added WHERE CAST(name AS TEXT) = 'one.txt'" || fail 'sqlite3'
run 5 --db "$T/bad.db" check
out <<'END'
missing: 1 name in the order of all names
END
err_has " check --repair'"
run 0 --db "$T/bad.db" check --repair
run 0 --db "$T/bad.db" where one.txt
out_has dir_3/one.txt
