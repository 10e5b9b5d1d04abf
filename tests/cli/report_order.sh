# SPDX-License-Identifier: MIT
# report shows the largest waste first, with a summary; --top takes the first; --sort orders by other things.
. "$srcdir/tests/cli/lib.sh"

mkdir d
for n in 1 2 3 4 5; do printf '1234567890' >d/ten$n; done
head -c 30 /dev/zero >d/big1
head -c 30 /dev/zero >d/big2
printf 'ab' >a1
printf 'ab' >z2
printf 'ab' >z3
touch -d 2020-01-01 d/ten*
touch -d 2022-01-01 a1 z2 z3
touch -d 2021-01-01 d/big*
scan .
run 0 report -c "$T/work/"
out <<'END'
5 copies of 10 B each, 40 B redundant
  d/ten1
  d/ten2
  d/ten3
  d/ten4
  d/ten5

2 copies of 30 B each, 30 B redundant
  d/big1
  d/big2

3 copies of 2 B each, 4 B redundant
  a1
  z2
  z3

3 sets, 10 files, 74 B redundant
END
run 0 report --top 1 -c "$T/work/"
out_has '5 copies of 10 B'
out_lacks 'copies of 30 B'
first() { awk -v RS= '{ printf "%s ", $1 }' "$T/out"; }
for row in 'waste:d/ten1 d/big1 a1 ' 'size:d/big1 d/ten1 a1 ' 'count:d/ten1 a1 d/big1 ' 'path:a1 d/big1 d/ten1 ' \
	'time:a1 d/big1 d/ten1 '; do
	run 0 report --sort "${row%%:*}" --format fdupes -c "$T/work/"
	[ "$(first)" = "${row#*:}" ] || fail "--sort ${row%%:*}: $(first)"
	run 0 report -s "${row%%:*}" -t 2 --format fdupes -c "$T/work/"
	[ "$(first)" = "$(echo "${row#*:}" | awk '{ print $1, $2, "" }')" ] || fail "--sort ${row%%:*} --top 2: $(first)"
done
run 2 report --sort nothing
err_has 'waste, size, count, path, time'
run 2 report --top x
err_has "'x' is not a number"
run 2 report --top -1
