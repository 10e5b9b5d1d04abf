# SPDX-License-Identifier: MIT
# --min-size and --min-waste leave out small sets, also in the totals.
. "$srcdir/tests/cli/lib.sh"

for n in 1 2 3 4 5; do printf '1234567890' >ten$n; done
head -c 30 /dev/zero >big1
head -c 30 /dev/zero >big2
scan .
run 0 report --min-size 11 --format fdupes -c "$T/work/"
out <<'END'
big1
big2

END
run 0 report --min-size 11 --bytes
out_has '1 set, 2 files, 30 redundant'
run 0 report -m 31 --format fdupes -c "$T/work/"
out <<'END'
ten1
ten2
ten3
ten4
ten5

END
run 0 report --minsize 31 --min-size 10 --format fdupes
[ "$(wc -l <"$T/out")" = 6 ] || fail 'min-waste and min-size together'
# Where none is large enough, that is not to say that there are none.
run 0 report --min-waste 1k
out <<'END'
No set passes these options; without them: 2 sets of duplicates.
END
run 0 report --min-size 11 --name 'ten*'
out_has 'No set passes these options; without them: 2 sets'
mkdir none
run 0 scan -q none
run 0 report --min-size 11 none
out <<'END'
No duplicates.
END
run 2 report --min-waste 1x
err_has 'is not a size'
