# SPDX-License-Identifier: MIT
# Redundant bytes count every inode once; -H counts names as well, which are links all the same and free nothing.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
ln a b
ln a c
printf 'lone' >u
ln u v
scan .
run 0 report
out <<'END'
No duplicates.
END
run 0 report -H --sort path --format fdupes -c "$T/work/"
out <<'END'
a
b
c

u
v

END
run 0 report -H -c "$T/work/"
out <<'END'
3 copies of 4 B each, 0 B redundant
  a
  b (link)
  c (link)

2 copies of 4 B each, 0 B redundant
  u
  v (link)

2 sets, 5 files, 0 B redundant
END
run 0 dups -H -v -c "$T/work/" v
out <<'END'
v
            link  u
END
# One meaning in all of them, in every format, whether or not a name had to be read, and also of a name that came later.
head -c 5000 /dev/zero >big
ln big big2
printf 'read first' >first
printf 'and others' >other
scan .
rm other
ln first second
scan .
for format in fdupes null; do
	run 0 report -H --format $format
	tr '\000' '\n' <"$T/out" | sed '/^$/d' | sort >"$T/reported"
	run 0 dups -H --format $format
	tr '\000' '\n' <"$T/out" | sed '/^$/d' | sort -u >"$T/dups"
	cmp "$T/reported" "$T/dups" || fail "report -H and dups -H differ in $format"
	[ "$(wc -l <"$T/dups")" -eq 9 ] || fail "$(cat "$T/dups")"
done
run 0 report -H --json
out_has '"size":5000,"hash":null,"copies":2,"redundant":0,"redundant_disk":0,'
run 0 report -H -s size --format fdupes -c "$T/work/" -x a big
out <<'END'
big
big2

END
for command in 'ls' 'dups' 'uniques' 'file a' 'report' 'du' 'where a'; do
	run 2 $command -I -H
	err_has 'exclude each other'
done
rm big2 second
printf 'same' >d
scan
run 0 report -c "$T/work/"
out <<'END'
2 copies of 4 B each, 4 B redundant
  a
  b (link)
  c (link)
  d

1 set, 4 files, 4 B redundant
END
# Removing every line but the first of a set must free what was promised, and no more names than that.
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
d

END
