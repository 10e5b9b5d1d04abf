# SPDX-License-Identifier: MIT
# validate reads what was read longest ago first; limited runs go round, and what could not be read has had its turn.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
for name in a b c d e f; do
	head -c 3000 /dev/zero >$name
done
printf 'X' | dd of=a bs=1 conv=notrunc 2>/dev/null
ln b b2
scan --hash-all .
made()
{
	"$SQLITE3" -readonly "$TWINDEX_DB" "SELECT count(*) FROM sqlite_schema WHERE name = 'validated'"
}
[ "$(made)" = 0 ] || fail 'the table is there before it is used'

run 3 validate --max-bytes 7k
out_line 'fine        2 files, 5.9 KiB'
out_line 'left        4 files, 11.7 KiB: the next run goes on there'
[ "$(made)" = 1 ] || fail 'no table'
run 0 info
out_line 'validated   2 of 6 files with a hash, 5.9 KiB of 17.6 KiB, the oldest .* ago'
run 3 validate --max-bytes 7k
run 3 validate --max-bytes 7k
run 0 info
out_line 'validated   6 of 6 files .*'
# A file larger than the limit has its turn as well.
run 3 validate --max-bytes 1
out_line 'fine        1 file, 2.9 KiB'
run 0 validate
out_line 'fine        6 files, 17.6 KiB'

# Those whose turn was longest ago.
"$SQLITE3" "$TWINDEX_DB" "UPDATE validated SET tried = 1000, good = 1000;
	UPDATE validated SET tried = 500, good = 500 WHERE inode IN ($(stat -c %i c), $(stat -c %i f))"
run 3 validate --max-bytes 6000 -v
grep -o 'fine: .*' "$T/out" | sort >"$T/o" && mv "$T/o" "$T/out"
out <<END
fine: $T/work/c
fine: $T/work/f
END
run 0 check

# A name that is gone does not hide the other one of its inode.
rm b
run 3 validate -v
out_has "gone: $T/work/b"
out_has "changed: $T/work/b2 (only its times changed: its content is the same)"
out_line 'fine        5 files, 14.6 KiB'
scan
run 0 validate

# What is renamed, and so read again by a scan, has kept its time; what is not there any more has none.
"$SQLITE3" "$TWINDEX_DB" "UPDATE validated SET tried = 1000, good = 1000"
mv c g
rm f
scan
run 0 validate --max-time 1h d
n=$("$SQLITE3" -readonly "$TWINDEX_DB" "SELECT count(*), min(good) FROM validated")
[ "$n" = '5|1000' ] || fail "in the table: $n"
run 0 info
out_line 'validated   5 of 5 files with a hash, .*'
run 0 validate
run 0 check

# What changes again and again does not keep others from their turn.
"$SQLITE3" "$TWINDEX_DB" "UPDATE validated SET tried = 1000, good = 1000; UPDATE validated SET tried = 2000 WHERE inode = $(stat -c %i g)"
printf 'more' >>g
scan --hash-all .
run 3 validate --max-bytes 1 -v
out_lacks "$T/work/g"
run 0 validate

# An old program's index: upgraded, and no table until then.
"$SQLITE3" "$TWINDEX_DB" 'DROP TABLE validated'
run 0 info
out_lacks validated
run 0 check
run 0 validate
"$SQLITE3" "$TWINDEX_DB" 'DROP TABLE validated; CREATE TABLE validated (x)'
run 5 validate
err_has "its table 'validated' is not one that twindex makes"
