# SPDX-License-Identifier: MIT
# report with options of choices says which copies stay and which go, those that stay first, as rm -r would do it.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a b c/.hid d/.h
for f in a/1 b/1 c/1 c/.hid/1; do printf 'one' >$f; done
for f in a/22 b/2 d/.h/2; do printf 'twins' >$f; done
ln b/2 b/3
printf 'third' >a/x
cp a/x b/x
find . -type f -exec touch -d 2021-01-01 {} +
touch -d 2020-01-01 b/1 a/22 b/x
scan .
run 0 report --keep oldest -c "$T/work/"
out <<'END'
3 copies of 5 B each, 10 B redundant
  stays  a/22
  stays  d/.h/2
  goes   b/2
  goes   b/3 (link)

4 copies of 3 B each, 9 B redundant
  stays  b/1
  stays  c/.hid/1
  goes   a/1
  goes   c/1

2 copies of 5 B each, 5 B redundant
  stays  b/x
  goes   a/x

3 sets, 10 files, 24 B redundant
END
# Without them nothing is chosen.
run 0 report
out_lacks stays
run 0 report --json
out_lacks choice
run 0 report --keep in:a --json
out_has '"mark":null,"choice":"stays"}'
run 0 report --keep in:a --format csv
out_has ',mark,choice'
out_has "\"$T/work/b/1\",,,\"goes\""
# fdupes: the first line of each set stays.
run 0 report --keep name:1,in:b --format fdupes -c "$T/work/"
[ "$(sed -n "1p;5p" "$T/out" | tr "\n" " ")" = "b/2 b/1 " ] || fail "first: $(cat "$T/out")"
# What was marked, and what is gone.
run 0 mark keep b/x
run 0 mark drop a/22
rm a/1
run 0 report --copies 1 -c "$T/work/"
out_has '  stays  b/x [keep]
  goes   a/x'
out_has 'a/22 [drop]'
out_has '         --- a/1 (gone)'
run 0 mark clear .
cp b/1 a/1
scan .

# goes ARG...: report and rm agree on what goes.
goes()
{
	"$TWINDEX" rm -rn "$@" 2>/dev/null | sed -n 's/^would remove: //p' | sort >"$T/rm"
	"$TWINDEX" report "$@" 2>/dev/null | sed -n 's/ (link)$//; s/^  goes   //p' | sort >"$T/report"
	[ -s "$T/rm" ] || fail "rm $*: nothing goes"
	cmp -s "$T/rm" "$T/report" || fail "$*: rm removes $(cat "$T/rm"), report says $(cat "$T/report")"
}
goes . --copies 1
goes . --keep newest
goes b c --keep oldest,shortest-path
goes . --keep in:b --copies 2
goes . --protect c
goes a b --only b --keep name:2
goes . --only b --only a
goes . --in b
goes . --per-volume
goes d/.h c/.hid --keep shortest-path
# Of several directories, each hides its own.
mkdir b/.h
cp b/x b/.h/x
scan .
goes c/.hid b a --keep shortest-path
# On a terminal sets mark what stays, without options too.
if command -v script >/dev/null; then
	terminal 80 report -v c d b
	sed -n 's/^    \([^ ]*\).*/\1/p' "$T/out" | sort >"$T/report"
	"$TWINDEX" rm -rn --copies 1 b c d | sed "s|$T/work/||" | sed -n 's/^would remove: //p' | sort >"$T/rm"
	[ -s "$T/rm" ] && cmp -s "$T/rm" "$T/report" || fail "rm removes $(cat "$T/rm"), the terminal says $(cat "$T/out")"
	out_line '  > .*'
	run 0 report
	out_lacks '>'
fi
run 2 report --across a b --only a --copies 1
run 2 report --keep nonsense
run 2 report --keep in:typo
