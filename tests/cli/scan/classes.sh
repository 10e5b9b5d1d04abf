# SPDX-License-Identifier: MIT
# While a scan still reads small files, readers beside it answer for the large ones, which it has compared.
. "$srcdir/tests/cli/lib.sh"

need_linux '/proc'
mkdir old new
truncate -s 1G new/big1 new/big2 2>/dev/null || skip 'no files of this size here'
[ "$(stat -c %b new/big1)" -lt 100 ] || skip 'no holes on this file system'
printf 'a' >old/a
scan .
mkdir dir
mv new/big1 new/big2 dir
scan .
# Both are read again, and what has come since: two classes, of which the last is held up.
touch dir/big1 dir/big2
printf 'same' >new/small1
printf 'same' >new/small2
printf 'else' >new/small3
hold_path=$T/work/new/small2 hold pread64 1 scan --racy-window 0s
"$TWINDEX" report --format fdupes -c "$T/work/" >"$T/out" 2>"$T/err"
got=$?
[ $got -eq 3 ] || fail "status $got of a report beside a scan"
out <<'END'
dir/big1
dir/big2

END
err_has 'incomplete: a scan is running and has not read all that it must yet: so far only files of '
for question in 'report --min-size 1G' 'ls dir' 'file dir/big1' 'dups dir'; do
	# shellcheck disable=SC2086 # words
	run 0 $question
	err_lacks incomplete
done
for question in du redundant 'report --min-size 4' 'uniques new'; do
	# shellcheck disable=SC2086 # words
	run 3 $question
	err_has 'a scan is running'
done
# What was not read is neither a copy nor unique; decide shows the sets, and can mark nothing meanwhile.
run 3 ls -c "$T/work/" new
out <<'END'
   unknown  new/small1 (it is not read yet)
   unknown  new/small2 (it is not read yet)
   unknown  new/small3 (it is not read yet)
END
answer 0 'q\n' .
err_has 'incomplete: a scan is running'
err_has '1 set, 1.0 GiB, in 1 group'
answer 0 'q\n' --min-size 1G .
err_lacks incomplete
run 4 mark drop dir/big2
run 0 check
out_has 'ok, but a scan is running'
resume 0
run 0 report --format fdupes -c "$T/work/"
out <<'END'
dir/big1
dir/big2

new/small1
new/small2

END

# Killed then, it leaves what it had compared, until the next one begins.
touch dir/big1 dir/big2
printf 'more' >new/small1
printf 'more' >new/small3
hold_path=$T/work/new/small3 hold pread64 1 scan --racy-window 0s
kill -9 "$held"
kill "$tracer"
wait "$held" 2>/dev/null
held=
run 3 report --format fdupes -c "$T/work/"
err_has 'incomplete: a scan was cut off before it had read all that it must: so far only files of '
run 0 report --min-size 1G
run 0 check
scan
run 0 report --min-size 1 --format fdupes -c "$T/work/"
out <<'END'
dir/big1
dir/big2

new/small1
new/small3

END
