# SPDX-License-Identifier: MIT
# What a scan left undone is said, with status 3, by every answer that it touches, and by no other.
. "$srcdir/tests/cli/lib.sh"

[ -n "$SQLITE3" ] || skip 'no sqlite3'
mkdir done left
printf 'same' >done/a
printf 'same' >done/b
scan .
truncate -s 400G left/big1 left/big2 2>/dev/null || skip 'no files of this size here'
run 3 scan --max-time 1ms .

# Sums and sets may lack anything that was not read; of single files it is known which.
for question in report du waste tree 'ls left' 'uniques left' 'file left/big1' 'file done/a left/big1'; do
	# shellcheck disable=SC2086 # words
	run 3 $question
	err_has 'incomplete: a scan was cut off before it had read all that it must; '\''twindex scan'\'' goes on'
	# shellcheck disable=SC2086 # words
	run 3 -q $question
	err_lacks 'incomplete'
done
run 3 ls -c "$T/work/" left/big1
out <<'END'
   unknown  left/big1 (it is not read yet)
END
for question in 'ls done' 'dups done' 'uniques done' 'file done/a' 'where big1'; do
	# shellcheck disable=SC2086 # words
	run 0 $question
	err_lacks 'incomplete'
done
run 0 check
out_has 'ok, but a scan was cut off before it had read all that it must'
run 0 info
out_has 'unfinished  a scan was cut off before it had read all that it must'

# While not every file was met, no answer is whole but that a file has a copy.
"$SQLITE3" "$TWINDEX_DB" "UPDATE meta SET value = 1 WHERE key = 'pending'" || fail 'no sqlite3'
for question in report tree 'ls done' 'dups done' 'uniques done' 'where big1' 'where nowhere'; do
	# shellcheck disable=SC2086 # words
	run 3 $question
	err_has 'incomplete: a scan was cut off before it had met every file'
done
run 0 file done/a
# A refresh meets no files.
rm left/big2
run 0 refresh
run 3 report
err_has 'incomplete: a scan was cut off before it had met every file'
scan
for question in report du waste tree 'ls left' 'uniques left' 'where big1'; do
	# shellcheck disable=SC2086 # words
	run 0 $question
	err_lacks 'incomplete'
done
run 1 file left/big1

# A root whose first scan was cut off is not made whole by a scan of another one.
mkdir "$T/work2"
scan "$T/work2"
"$SQLITE3" "$TWINDEX_DB" "UPDATE meta SET value = 1 WHERE key = 'pending';
	UPDATE root SET scan = NULL WHERE id = (SELECT min(id) FROM root)" || fail 'no sqlite3'
scan "$T/work2"
run 3 report
err_has 'incomplete: a root was never scanned to its end'
scan
run 0 report
