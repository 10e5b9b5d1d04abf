# SPDX-License-Identifier: MIT
# A copy may be relied on unless something may take it away that would leave the file: one rule for questions and acts.
. "$srcdir/tests/cli/lib.sh"

# judged DIR WHERE: pics/f has a copy in DIR alone, which is WHERE.  All say so, and none relies on it.
judged()
{
	run 1 file pics/f
	out_has "unique  $T/work/pics/f (its only other copy is $2)"
	out_has "skip  $T/work/$1/f ($2)"
	run 1 file --json pics/f
	out_has "\"kind\":\"fleeting\",\"why\":\"$2\""
	run 0 uniques pics
	printf '%s\n' "$T/work/pics/f" | out
	err_has "1 file has other copies only $2: not counted"
	run 0 dups pics
	out </dev/null
	run 1 contained pics .
	err_has "1 file has other copies only $2: not counted"
	run 1 at-risk pics
	out_has '1 file, 6 B at risk.'
	err_has "1 file has other copies only $2: not counted"
	run 1 redundant pics
	err_has "1 file has other copies only $2: not counted"
	run 1 mark drop pics/f
	run 1 rm -n pics/f
	run 1 rm -y pics/f
	run 1 link -ny --soft pics/f
	[ -f pics/f ] || fail "rm relied on $1"
	run 0 report --copies 1 pics
	out_lacks goes
}

# As a file there sees it, its copy lasts.
lasts_for()
{
	run 0 file "$1/f"
	run 0 rm -n --include-hidden "$1/f"
	out_has "would remove: $T/work/$1/f"
}

mkdir -p pics
printf 'photo\n' >pics/f
for dir in .cache/app .snapshots/1/snapshot cachedir/deep; do
	mkdir -p $dir
	cp pics/f $dir/
	[ $dir != cachedir/deep ] || printf 'Signature: 8a477f597d28d172789f06886806bc55\n# made by a test\n' >cachedir/CACHEDIR.TAG
	scan .
	case $dir in
	.snapshots*) where='in a rotating snapshot' ;;
	*) where='in a cache' ;;
	esac
	judged $dir "$where"
	lasts_for $dir
	# Both names have the content then: nothing is lost.
	run 0 link -n --hard --include-hidden pics/f
	# Of a question that names it, it was meant.
	run 0 contained pics $dir
	run 0 uniques --in $dir pics
	out </dev/null
	rm -r "${dir%%/*}"
	scan .
done

# In one cache copies count.
mkdir -p .cache/a .cache/b
cp pics/f .cache/a/
mv pics/f .cache/b/
scan .
run 0 file .cache/a/f
run 0 contained .cache/a .cache/b
run 0 redundant --include-hidden .cache/a
run 0 rm -y --include-hidden .cache/a/f
[ -f .cache/b/f ] || fail 'both are gone'

# A mark holds no longer than a copy that lasts.
cp .cache/b/f pics/
cp pics/f pics/g
scan .
run 0 mark drop pics/f
run 0 marks
out_has '1 to drop'
rm pics/g
scan .
run 0 marks
out_has 'last: no copy is there that may be relied on'
run 0 marks --drop -0
out </dev/null
