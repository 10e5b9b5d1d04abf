# SPDX-License-Identifier: MIT
# scan --until stops when the largest files, which are enough for the share, are compared; answers hold for these.
. "$srcdir/tests/cli/lib.sh"

fill() { head -c "$2" /dev/zero | tr '\0' "$3" >"$1"; }
# May be redundant: 300,000 + 2 * 50,000 + 3 * 1,000 = 403,000 bytes, of which the largest pair is 74 percent.
mkdir big mid small
fill big/a 300000 x
fill big/b 300000 x
for n in a b; do fill mid/$n 50000 x; done
fill mid/c 50000 y
for n in a b c d; do fill small/$n 1000 x; done
fill small/alone 77 x

# The share is a percentage.
for share in 0 101 x '' 50%% 1.5 -1; do
	run 2 scan --until="$share" .
	err_has "option '--until': a percentage is from 1 to 100"
done
[ ! -e "$TWINDEX_DB" ] || fail 'a refused scan has made an index'

# A scan of a root that is known reads nothing in passing.
begin()
{
	rm -f "$TWINDEX_DB"*
	mv big mid small "$T"
	scan .
	mv "$T/big" "$T/mid" "$T/small" .
}
begin
run 3 scan --racy-window 0s --until 50% .
out_has 'stopped by --until: 74% of what may be redundant is settled, in files of 49.0 KiB and more; the next scan goes on from here'
run 3 report --format fdupes -c "$T/work/"
out <<'END'
big/a
big/b

END
err_has 'incomplete: a scan was cut off before it had read all that it must: so far only files of 49.0 KiB and more are compared; '\''twindex scan'\'' goes on'
# Of larger files all is known.
run 0 report --min-size 50001 --format fdupes -c "$T/work/"
err_lacks incomplete
run 0 report --min-size 1M
out_has 'No set passes these options; without them: 1 set of duplicates so far.'
run 3 report --min-size 50000
err_has 'incomplete: '
run 0 ls big
run 0 file big/a
# No claim is made of what was not read.
run 3 ls -c "$T/work/" mid small/alone
out <<'END'
   unknown  mid/a (it is not read yet)
   unknown  mid/b (it is not read yet)
   unknown  mid/c (it is not read yet)
    unique  small/alone
END
run 3 file mid/c
run 1 safe small
out_has small/a
for question in du waste redundant 'uniques mid'; do
	# shellcheck disable=SC2086 # words
	run 3 $question
	err_has 'so far only files of 49.0 KiB and more are compared'
done
run 0 check
out_has 'so far only files of 49.0 KiB and more are compared'

# The next one goes on.
run 3 scan --racy-window 0s --until 75 .
out_has 'stopped by --until: 99% of what may be redundant is settled, in files of 1001 B and more;'
run 0 report --min-size 1001 --format fdupes -c "$T/work/"
out <<'END'
big/a
big/b

mid/a
mid/b

END
run 0 uniques mid
# What is settled without reading needs none.
run 3 scan --racy-window 0s --until 99% --json .
out_has '"reached":99,"compared_from":1001,'
out_has '"read":0,'
scan --until 100%
out_lacks stopped
run 0 report
run 0 scan --until 1% --json .
out_has '"reached":null,"compared_from":null,'

# A dry run counts what the share needs.
begin
run 0 scan -n --until 100% --json .
out_has '"to_read":9,'
run 0 scan -n --until 50% --json .
out_has '"to_read":2,'

# In a first scan, whose walk reads what is in memory, it is the share of what is settled all the same.
rm -f "$TWINDEX_DB"*
"$TWINDEX" scan --racy-window 0s --until 50% . >"$T/out" 2>"$T/err"
case $? in
0) out_lacks 'stopped' ;;
3) out_has 'stopped by --until: ' ;;
*) fail 'a first scan' ;;
esac
scan
run 0 report --min-size 1000 --format fdupes -c "$T/work/"
cp "$T/out" "$T/whole"
grep -qx 'small/d' "$T/whole" || fail 'the next scan has not gone on'

# A scan that begins again has compared nothing until it knows what there is.
begin
run 3 scan --racy-window 0s --until 50% .
fill big/c 300000 x
fill big/d 400000 x
fill big/e 400000 x
run 3 scan --racy-window 0s --max-time 1ms .
run 0 check
run 3 report --min-size 300000
err_has 'incomplete: '
scan
run 0 report --min-size 300000 --format fdupes -c "$T/work/"
out <<'END'
big/a
big/b
big/c

big/d
big/e

END
