# SPDX-License-Identifier: MIT
# A copy in a trash is no copy in a report, unless that trash is what is asked about: then it is one that can go.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a b home/.local/share/Trash/files/d .Trash-7/files
printf 'only' >a/only
printf 'only' >home/.local/share/Trash/files/d/only
printf 'twice' >a/twice
printf 'twice' >b/twice
printf 'twice' >.Trash-7/files/twice
printf 'thrown' >.Trash-7/files/1
printf 'thrown' >.Trash-7/files/2
printf 'linked' >a/linked
ln a/linked home/.local/share/Trash/files/linked
printf 'linked' >b/linked
scan .

run 0 report -c "$T/work/"
out <<'END'
2 copies of 6 B each, 6 B redundant
  a/linked
  b/linked
  skip home/.local/share/Trash/files/linked (in a trash)

2 copies of 5 B each, 5 B redundant
  a/twice
  b/twice
  skip .Trash-7/files/twice (in a trash)

2 sets, 4 files, 11 B redundant
5 names in a trash, which will be emptied: not counted
END
run 0 report --format ndjson
out_has '"path":"'"$T"'/work/.Trash-7/files/twice","kind":"trash"'
out_has '"redundant":11,"redundant_disk":'
out_has '"trash":5}'
run 0 report --format csv
out_has '2,"trash",5,5,'
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a/linked
b/linked

a/twice
b/twice

END
# In a directory with a trash, and in what lies in one beside others.
run 0 report home
out_has 'No duplicates.'
out_has '2 names in a trash'
# What rm removes, and what it leaves alone: of what lies only in trashes nothing goes.
run 0 report .Trash-7 -c "$T/work/"
out <<'END'
3 copies of 5 B each, 10 B redundant
  .Trash-7/files/twice (in a trash)
  a/twice
  b/twice

1 set, 3 files, 10 B redundant
END
run 0 report home/.local/share/Trash/files/d -c "$T/work/"
out <<'END'
2 copies of 4 B each, 4 B redundant
  a/only
  home/.local/share/Trash/files/d/only (in a trash)

1 set, 2 files, 4 B redundant
END
run 0 report --keep first-path home/.local/share/Trash -c "$T/work/"
out_has '  stays  a/only'
out_has '  goes   home/.local/share/Trash/files/d/only (in a trash)'
# The sums of directories say the same.
run 0 du --json
out_has '"redundant":11'
out_lacks '"redundant":15'
# ... but that they count inodes, and a link in a trash is no copy.
err_has '4 files in a trash'
run 0 du a
err_lacks 'trash'
# Asked about a trash, they count what can go there, as rm does; what lies in trashes alone stays.
run 0 du --json .Trash-7
out_has '"total":{"path":"'"$T"'/work/.Trash-7","files":3,"bytes":17,"duplicated":5,"share":29.4,"redundant":5}'
err_has '2 files in a trash'
run 0 du --no-check --json home/.local/share/Trash/files
out_has '"total":{"path":"'"$T"'/work/home/.local/share/Trash/files","files":2,"bytes":10,"duplicated":10,"share":100.0,"redundant":4}'
run 0 shell -c 'du --json; du --json .Trash-7; du --json'
[ "$(grep -c '"total":.*"redundant":11}' "$T/out")" -eq 2 ] || fail 'the shell keeps sums for another directory'
# Two trees: what is in both is so outside of trashes, or at the same path.
run 1 compare a home -c "$T/work/"
err_has '2 files in a trash'
out_has 'B lacks 3 files (15 B) of A; A lacks nothing of B'
run 1 compare a home/.local/share/Trash
err_lacks 'in a trash'
out_has 'B lacks 1 file (5 B) of A; A lacks nothing of B'
mkdir mirror
cp -pR home mirror/home
run 0 scan -q .
run 0 compare home mirror/home
rm -r mirror
run 0 scan -q .
run 0 similar --min-share 1
out_lacks 'rash'
err_has '2 trashes left out'
run 0 similar a home/.local/share/Trash --min-share 1
out_has 'Trash'
# What lies in a trash is never what stays, also where it is asked about; it can go, and all can stay.
decided() { rows "SELECT decision, replace(path, '$T/work/', '') FROM mark_view ORDER BY path"; }
answer 0 '1\ns\nl\n1\nq\n' --elsewhere .Trash-7 home/.local/share/Trash/files/d
sed 's/20[^ ]* [0-9:]*  //' "$T/err" >"$T/told"
grep -q '1 set, 10 B in   elsewhere   1 a/   2 b/$' "$T/told" || fail "groups: $(cat "$T/told")"
grep -qx '     home/.local/share/Trash/files/d/only (in a trash)' "$T/told" || fail "a copy: $(cat "$T/told")"
grep -q 'keep? \[1, k as marked >, all' "$T/told" || fail "numbers: $(cat "$T/told")"
decided
out <<'END'
drop	.Trash-7/files/twice
keep	a/only
keep	a/twice
drop	b/twice
drop	home/.local/share/Trash/files/d/only
END
run 0 mark clear -q .
answer 0 'a\n1\nq\n' --elsewhere .Trash-7 home/.local/share/Trash/files/d
decided
out <<'END'
keep	.Trash-7/files/twice
keep	a/only
keep	a/twice
keep	b/twice
drop	home/.local/share/Trash/files/d/only
END
run 0 mark clear -q .
# The same of many contents, whose names come from one pass over all rows.
answer 0 'q' --all
err_has '2 sets, 11 B, in 1 group'
i=0
mkdir many
while [ $i -lt 70 ]; do
	echo $i >many/$i
	echo $i >.Trash-7/files/many$i
	i=$((i + 1))
done
scan .
run 0 report
out_has '2 sets, 4 files, 11 B redundant'
out_has '75 names in a trash'
answer 0 'q' --all
err_has '2 sets, 11 B, in 1 group'
