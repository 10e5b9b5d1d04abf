# SPDX-License-Identifier: MIT
# A file with the same payload and other tags is no copy: no answer counts it, and rm, link and mark leave both.
. "$srcdir/tests/cli/lib.sh"

mkdir a b
printf '\377\330\377\300\0\2\377\332\0\2data\377\331' >a/p.jpg
printf '\377\330\377\376\0\3x\377\300\0\2\377\332\0\2data\377\331' >b/p.jpg
# Of one size, too.
printf '\377\330\377\376\0\3y\377\300\0\2\377\332\0\2data\377\331' >b/q.jpg
cp a/p.jpg a/copy.jpg
answers()
{
	for command in 'report' 'report --json' 'ls a b' 'dups .' 'uniques .' 'file --format null a/p.jpg' 'safe a' 'safe b' 'contained a b' 'compare a b' 'redundant' \
		'at-risk' 'similar' 'du .' 'waste .' 'rm -rn .' 'rm -rn --json --in b a' 'link --hard -rn .' 'mark drop -n b/p.jpg' 'sql SELECT*FROM(set_view)'; do
		echo "== $command"
		$by_name $command 2>&1
		echo "status $?"
	done
}
scan -q .
answers >"$T/without"
run 0 scan -q --payload --racy-window 0s
run 0 report --payload
out_has '1 content with other tags in 4 files'
answers >"$T/with"
diff "$T/without" "$T/with" || fail 'an answer has changed'

run 1 rm -y b/p.jpg
[ -e b/p.jpg ] || fail 'a file without a copy is gone'
run 1 rm -y -r --in a b
run 1 link -y --hard -r b
[ ! b/p.jpg -ef a/p.jpg ] || fail 'two contents are one file'
run 1 mark drop b/p.jpg
run 0 marks
out_lacks b/p.jpg
# Of the copies one goes.
run 0 rm -y a/copy.jpg
[ -e a/p.jpg ] && [ -e b/p.jpg ] && [ -e b/q.jpg ] || fail 'more has gone'
