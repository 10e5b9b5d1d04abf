# SPDX-License-Identifier: MIT
# __complete tells what may follow: a line each, without a word on errors, and writes nothing.
. "$srcdir/tests/cli/lib.sh"

mkdir -p tree/sub
: >tree/indexed
: >"tree/two
lines"
scan -q tree
rm tree/indexed
: >tree/new
cd tree || fail "no tree"

run 0 __complete -- inf
out <<END
info	show what the index holds: roots, counts, sizes, last runs
END
run 0 __complete -- ls --null
out_has "--null	"
run 0 __complete -- man s
printf 'schema\nshell\n' | out || exit
run 0 __complete -- ls --format=nd
out <<END
--format=ndjson
END
run 0 __complete -- ls in
out <<END
indexed
END
run 0 __complete -- ls n
out </dev/null
run 0 __complete -- hash in
out </dev/null
run 0 __complete -- file i
out <<END
indexed
END
run 0 __complete -- file n
out <<END
new
END
run 0 __complete -- du ''
out <<END
sub/
END
run 0 __complete -- scan --exclude-from ''
out_has new
run 0 __complete -- safe sub --rescue n
out <<END
new
END
run 0 __complete -- report --html=../tree/n
out <<END
--html=../tree/new
END
run 0 __complete -- info ''
out </dev/null
run 0 __complete -- check ''
out </dev/null
run 0 __complete -- undo su
out <<END
sub/
END
run 0 __complete -- sql 'SELECT sha'
out </dev/null
run 0 __complete --null -- ls two
printf 'two\nlines\0\0' | cmp -s - "$T/out" || fail "the name with a newline"
# A line of sh, of which readline replaces what stands behind a break.
run 0 __complete --line=' =:' -- "twindex ls --format=nd"
out <<END
ndjson
END
run 0 __complete --line=' =:' -- "twindex ls 'in"
out <<END
indexed
END
run 0 __complete --line=' =:' -- 'twindex ls $(touch made) '
[ ! -e made ] || fail "it ran what was typed"

HOME=$T run 0 __complete --line=' =:' -- 'twindex ls "$HOME/work/tr'
printf '%s\n' "$T/work/tree/" | out || exit
HOME=$T run 0 __complete --line=' =:' -- 'twindex ls \$HOME/work/tr'
out </dev/null

run 0 volumes --place here .
# After sql all public views and their columns, and nothing else.
rows "SELECT name FROM sqlite_schema WHERE name LIKE '%\_view' ESCAPE '\\'"
cp "$T/out" "$T/views"
while read -r view; do
	run 0 sql --format csv "SELECT * FROM $view LIMIT 0"
	head -n 1 "$T/out" | tr -d '\r' | tr , '\n'
done <"$T/views" | LC_ALL=C sort -u - "$T/views" >"$T/want"
run 0 __complete -- sql ''
cmp -s "$T/want" "$T/out" || fail "$(diff "$T/want" "$T/out")"
run 0 __complete -- sql 'SELECT path FROM file_view f WHERE f.mtime_nse'
out <<END
SELECT path FROM file_view f WHERE f.mtime_nsec
END

# An alias is completed as what it stands for, with what it has already.
cat >"$T/config" <<END
[alias]
keep-it = mark keep
as = ls --format
other = ls --db ~/other.db
END
HOME=$T run 0 -d "$T/other.db" scan -q "$T/work/tree/sub/.."
export TWINDEX_CONFIG="$T/config"
run 0 __complete -- keep-it ''
out <<END
indexed
sub/
two
lines
END
run 0 __complete -- as nd
out_has ndjson
run 0 __complete --line=' ' -- 'twindex -q as nd'
out_has ndjson
HOME=$T run 0 __complete -- other ne
out <<END
new
END
unset TWINDEX_CONFIG
for word in -d -qd --db= --d=; do
	run 0 __complete -- "$word$T/other.db" ls ne
	out <<END
new
END
done
run 0 __complete -- "-qd$T/other.d"
grep -qxF -e "-qd$T/other.db" "$T/out" || fail "the value behind short options"

# Of very many names of the disk the first 1999 and the last, in order.
mkdir "$T/many"
for n in 5 4 3 2 1 0; do
	for k in 00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19; do
		for i in 00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19; do
			: >"$T/many/a long name $n$k$i"
		done
	done
done
mkdir "$T/many/a long name 31a"
run 0 __complete -- hash ../../many/
LC_ALL=C ls "$T/many" | sed 's#^#../../many/#; s#31a#&/#' | sed '2000,$ { $ !d; }' | out

# Hidden from people.
run 0 help
out_lacks __complete
run 2 shell -c '__complete -- inf'

# No index, a damaged one, one that may not be read: silence.
for db in "$T/nosuch" "$T/work/tree/new" /; do
	run 0 -d "$db" __complete -- ls ''
	out </dev/null
	err_lacks .
	[ ! -e "$T/nosuch" ] || fail "it made an index"
done

# where: names anywhere in the index, each once, that are still there; a pattern or a path as before.
mkdir -p names/deep/er names/other
for n in alpha alphabet beta; do
	echo $n >names/deep/er/$n
done
echo alpha >names/other/alpha
mkdir names/other/alpine
echo q >names/alps
scan -q names
run 0 __complete -- where alp
printf 'alpha\nalphabet\nalpine\nalps\n' | out || exit
run 0 __complete -- where "$(printf 'alp\377')"
out </dev/null
run 0 __complete -- where names/al
out <<END
names/alps
END
run 0 __complete -- where alpha nam
out <<END
names/
END
# What came since the names were put in order, and what went.
echo new >names/deep/alpnew
rm names/deep/er/alphabet
scan -q names
run 0 __complete -- where alp
printf 'alpha\nalpine\nalpnew\nalps\n' | out || exit
# Of many names the first are offered, and nothing is inserted that only these have in common.
mkdir many
i=1000
while [ $i -lt 1300 ]; do
	: >many/alq$i
	i=$((i + 1))
done
scan -q many
run 0 __complete -- where alq
[ "$(wc -l <"$T/out")" = 200 ] || fail "$(wc -l <"$T/out") names of 300 are offered"
