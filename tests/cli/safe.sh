# SPDX-License-Identifier: MIT
# safe DIR [IN...]: would something be lost with DIR?  A verdict for people, paths for programs, one status for both.
. "$srcdir/tests/cli/lib.sh"
need script

# tty ARG...: what safe ARG... shows on a terminal.
tty()
{
	TERM=dumb script -qec "stty cols 400; '$TWINDEX' safe $*" /dev/null </dev/null | tr -d '\r' | sed 's|^  [^ ]*twindex|  twindex|' >"$T/tty"
}

# shows LINE...: just that.
shows()
{
	printf '%s\n' "$@" | diff - "$T/tty" >&2 || fail "not what the terminal is to show"
}

mkdir -p old/docs old/pics/raw old/.h home/docs disk/backup/pics
for f in 1 2 3; do
	printf "doc $f" >old/docs/$f
	printf "doc $f" >home/docs/letter$f
	printf "raw $f" >old/pics/raw/$f
	printf "pic $f" >old/pics/$f
done
cp old/pics/[12] disk/backup/pics
printf 'hidden' >old/.h/x
cp old/.h/x home/
scan .
run 1 safe old
out <<END
$T/work/old/pics/3
$T/work/old/pics/raw/1
$T/work/old/pics/raw/2
$T/work/old/pics/raw/3
END
tty old
shows 'NOT SAFE' '4 of the 10 files (20 B of 51 B) of old exist nowhere else in the index' \
	'      15 B  3 files in old/pics/raw' '       5 B  1 of 3 files directly in old/pics' '' \
	'  twindex safe -v old                               the files by name' \
	'  twindex safe old --rescue TO                      copy what is missing to TO' \
	'  twindex rm -r --include-hidden --prune-empty old  remove what has a copy; undo brings it back'
tty old home
sed -n 1,2p "$T/tty" >"$T/head"
mv "$T/head" "$T/tty"
shows 'NOT SAFE' '6 of the 10 files (30 B of 51 B) of old are not in home'
# What it says to type does that.
printf 'raw %s' 1 >home/1
printf 'raw %s' 2 >home/2
printf 'raw %s' 3 >home/docs/3
cp old/pics/3 home/
scan .
tty old
shows 'SAFE TO DELETE' 'all 10 files (51 B) of old are also in home (8) and in disk/backup/pics (2), looked at just now' '' \
	'  twindex rm -r --include-hidden --prune-empty old  remove what has a copy; undo brings it back'
run 0 safe old
out </dev/null
run 0 safe old home disk
run 1 safe old disk
run 0 safe --json old
out_has '"verdict":"safe"'
run 1 safe --json old disk
out_has '"verdict":"not_safe"'
# A copy in DIR goes with it, a link to the outside stays.
printf 'twice' >old/twice
cp old/twice old/docs/
printf 'link' >old/link
ln old/link home/link
scan .
run 1 safe -r old
printf 'twice\ndocs/twice\n' | out
tty old
grep -q '^2 of the 13 files' "$T/tty" || fail "$(cat "$T/tty")"
rm old/twice old/docs/twice
# Not sure: a file that came after the scan, and a copy on a disk that is not there.
printf 'new' >old/new
run 3 safe old
tty old
grep -qx 'NOT SURE' "$T/tty" || fail "$(cat "$T/tty")"
grep -q 'rm -r' "$T/tty" && fail 'advice to remove what is not known'
rm old/new
mv disk drawer
run 1 safe old home
rm old/pics/[12]
run 0 safe old
mv drawer disk
# Copies that do not last are none.
mkdir -p t/.cache t/x
printf 'cached' >t/.cache/c
cp t/.cache/c t/x/
scan t
run 1 safe t/x
err_has 'other copies only in a cache: not counted'
run 0 safe t/.cache
# Steps are those that do what the answer says: none where rm would be asked something else, or a name has no one spelling.
mkdir -p "it's" DIR going
printf 'q' >"it's/f"
cp "it's/f" DIR
cp old/docs/1 going/
scan .
tty going
grep -q 'rm -r --prune-empty going' "$T/tty" || fail "$(cat "$T/tty")"
for question in "-x home going" "-I going" "--online going" "-d $TWINDEX_DB going" '"it'"'"'s"'; do
	tty "$question"
	grep -q 'twindex rm' "$T/tty" && fail "$question: $(cat "$T/tty")"
done
# What only links keep, rm leaves.
mkdir linked
printf 'by a link' >linked/f
ln linked/f home/by
scan .
tty linked
grep -qx 'SAFE TO DELETE' "$T/tty" && ! grep -q 'twindex rm' "$T/tty" || fail "$(cat "$T/tty")"
# Some are judged, some not: the sum is of all.
printf 'changed' >going/1
printf 'going 2' >going/2
scan going
printf 'changed again' >going/1
tty going
grep -q '^at least 1 of the 2 files (7 B of ' "$T/tty" || fail "$(cat "$T/tty")"
# What was renamed since the scan was not judged: it is not safe.
mv linked gone
tty linked
grep -q 'SAFE' "$T/tty" && fail "$(cat "$T/tty")"
run 2 safe linked
err_has "'linked' is no longer there"
run 2 safe --json linked
out_lacks '"safe"'
mv gone linked
# What is nothing to ask about.
run 2 safe
run 2 safe old old
run 2 safe old old/docs
err_has "'old/docs' lies in 'old', and would go with it"
run 2 safe nowhere
