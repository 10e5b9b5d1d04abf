# SPDX-License-Identifier: MIT
# A member that cannot be looked at is unreadable, not offline: counted by itself with its reason, and with status 3.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d other o p
printf 'a copy at another place' >d/a
printf 'a copy at another place' >other/a
printf 'two copies in one place' >d/b1
printf 'two copies in one place' >d/b2
printf 'three copies' >d/c
printf 'three copies' >other/c1
printf 'three copies' >other/c2
printf 'offline, too' >o/a
printf 'offline, too' >p/a
ordinary
scan d
scan other
scan o
scan p
run 0 report d other
$as chmod 000 d
# Sets of what was asked for that fell apart, or that would have been shown.
run 3 report d
out <<'END'
No duplicates are known.
4 members unreadable (Permission denied): not counted
END
err_has 'twindex: not judged: 4 unreadable; -v names them'
run 3 report d -v
err_has "not judged: $T/work/d/b1 (Permission denied)"
# The members of others are shown for what they are.
run 3 report other -c "$T/work/"
out <<'END'
2 copies of 12 B each, 12 B redundant
  other/c1
  other/c2
  ??? d/c (unreadable: Permission denied)

1 set, 2 files, 12 B redundant
2 members unreadable (Permission denied): not counted
END
run 3 report
out_has '4 members unreadable'
run 3 report other --json
out_has '"kind":"unreadable","why":"Permission denied"'
out_has '"offline":0,"unreadable":2'
run 3 report other --format csv
out_has 'unreadable'
run 0 report o
run 0 report d --no-check
run 0 report -x d
# file and uniques tell the same.
run 3 uniques other
run 0 file other/c1 -c "$T/work/"
out <<'END'
       dup  other/c1
             ???  d/c (unreadable: Permission denied)
            copy  other/c2
END
run 1 file other/a -c "$T/work/"
out_has "unknown  other/a (another copy is unreadable)"
out_has "???  d/a (unreadable: Permission denied)"
# A directory that may be entered and not listed tells not that something else lies there.
$as chmod 755 d
printf 'changed' >d/a
$as chmod 311 d
run 3 file d/a
out_has 'unreadable'
$as chmod 000 d
# What is offline is counted where it was asked for, and leaves the status as it is.
mv o away
for path in o p '-a'; do
	run 0 report $path -x d
	out_line '1 member offline: not counted'
done
