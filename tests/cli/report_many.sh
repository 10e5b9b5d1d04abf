# SPDX-License-Identifier: MIT
# Thousands of members are each looked at: the few that are gone or changed, wherever they lie, are shown as
# such, and the others are not.  All orders of the work come to the same.
. "$srcdir/tests/cli/lib.sh"

# 60 directories with 50 files each: the first file of each has the same content, and so on.
d=10
while [ $d -lt 70 ]; do
	mkdir d$d
	f=10
	while [ $f -lt 60 ]; do
		printf 'content %d' $f >d$d/f$f
		f=$((f + 1))
	done
	d=$((d + 1))
done
ln d11/f11 d11/link
# Larger ones that few are.
for f in d12/large d40/large d40/too d40/gone; do printf '%0999d' 0 >$f; done
ln d12/large d41/link
scan .
run 0 report --min-size 5
out_line '51 sets, 3,006 files, .*'

rm d33/f40
printf 'other   40' >d34/f40
printf 'content 41 ' >d69/f41
rm -r d20
mkdir d20
printf 'content 59' >d20/f59
mv d50 moved
touch -d @1 d60/f12
rm d40/gone
run 0 report
# d20: 49 gone, one new in the place of the old; d50: 50 gone; two and two more of their own.
out_line '51 sets, 2,901 files, .*'
out_has '105 members gone or changed since the last scan'
grep -c -e '--- .*(gone)$' "$T/out" >"$T/n"
[ "$(cat "$T/n")" -eq 101 ] || fail "$(cat "$T/n") gone"
grep -e '--- .*(changed)$' "$T/out" | sed 's/.*work.//; s/ .*//' | sort >"$T/changed"
printf 'd20/f59\nd34/f40\nd60/f12\nd69/f41\n' | cmp - "$T/changed" || fail "changed: $(cat "$T/changed")"

# Few are looked up one by one: the same set.
run 0 report --min-size 900 -c "$T/work/"
out <<'END'
3 copies of 999 B each, 2.0 KiB redundant
  d12/large
  d41/link (link)
  d40/large
  d40/too
  --- d40/gone (gone)

1 set, 4 files, 2.0 KiB redundant
1 member gone or changed since the last scan: run twindex scan
END
sed '/^$/d; /^[0-9]/d' "$T/out" | sort >"$T/few"
run 0 report -c "$T/work/"
sed -n '/999 B/,/^$/{/^ /p;}' "$T/out" | sort | cmp - "$T/few" || fail 'the set differs'
# Only the sets with a copy below a directory, with all their copies.
run 0 report --format fdupes "$T/work/d11"
n=$(grep -c . "$T/out")
[ "$n" -eq 2896 ] || fail "$n copies"
# As of the scan nothing is looked at.
run 0 report --no-check
out_line '51 sets, 3,006 files, .*'
