# SPDX-License-Identifier: MIT
# --name: report shows the sets of a file so named; ls, dups and uniques list only such files, and judge no others.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a b
printf 1 >a/one.jpg
printf 1 >b/one.txt
printf 22 >a/two.txt
printf 22 >b/two.txt
printf 333 >a/alone.jpg
printf 4444 >b/alone.txt
printf 55555 >'b/[5].jpg'
scan .

# names COMMAND... with what its --format null says, sorted
names()
{
	run "$@" --format null
	tr '\0' '\n' <"$T/out" | sed "s,^$T/work/,," | sort >"$T/names"
	mv "$T/names" "$T/out"
}
lines()
{
	printf '%s\n' "$@" | out
}
names 0 report --name '*.jpg'
lines '' a/one.jpg b/one.txt
# The copy that is named so is to lie below the path.
names 0 report --name '*.jpg' b
out </dev/null
names 0 report --name '*.jpg' --name 't*' b
lines '' a/two.txt b/two.txt
names 0 ls --name '*.jpg'
lines a/alone.jpg a/one.jpg 'b/[5].jpg'
names 0 ls --name one.txt --name '[5].jpg'
lines 'b/[5].jpg' b/one.txt
names 0 dups --name '*.jpg'
lines a/one.jpg
names 0 uniques --name '*.jpg' a b/alone.txt
lines a/alone.jpg
names 0 ls --name no b/alone.txt
out </dev/null
# A mistyped name says nothing of the files, so silence is no answer, in a pipe neither.
for command in ls dups uniques; do
	run 0 $command --name '*.jgp' a b
	err_has 'no file there has a name that matches --name'
	run 0 -q $command --name '*.jgp' a b
	err_lacks name
done
run 0 uniques --name one.jpg a
err_lacks name

# What could not be judged counts only if it is named so; a directory may have anything in it.
printf new >a/new.txt
run 0 uniques --name '*.jpg'
run 3 uniques --name '*.txt'
mkdir c
run 3 uniques --name '*.jpg'
err_has '1 directory'
run 2 ls --name '*.jpg' none
run 2 ls --name 'a/*'
err_has "option '--name': 'a/*' is not a file name"
run 2 report --name ''

# A name without * ? and [ is itself, as for where and --keep, also with a backslash.
mkdir back
printf 'back' | tee 'back/a\b' back/ab >back/other
scan back
names 0 ls --name 'a\b' back
lines 'back/a\b'
names 0 where 'a\b' back
lines 'back/a\b'
run 1 rm -r -n --keep 'name:a\b' back
out_has "would remove: $T/work/back/ab"
out_has "would remove: $T/work/back/other"
