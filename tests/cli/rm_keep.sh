# SPDX-License-Identifier: MIT
# rm --keep, --protect, --only, --copies: the rules choose which copy stays, alone and in chains, and the last one does.
. "$srcdir/tests/cli/lib.sh"

# Three copies: by path, name, time and depth each another one comes first; '3' has a link.
mkdir -p a/deep b c
printf 'same' >a/deep/1.jpg
printf 'same' >b/22.png
printf 'same' >c/3
ln c/3 c/33
touch -d 2020-01-03 a/deep/1.jpg
touch -d 2020-01-01 b/22.png
touch -d 2020-01-02 c/3
scan .

# stays RULES NAMES: what is left of all, by a dry run.
stays()
{
	run 1 rm -rn . --keep "$1"
	left=' a/deep/1.jpg b/22.png c/3 c/33 '
	for f in $(sed -n "s|^would remove: $T/work/||p" "$T/out"); do
		left="${left%%" $f "*} ${left#*" $f "}"
	done
	[ "$left" = " $2 " ] || fail "--keep $1: '$2' should stay, not '$left'"
}

stays newest a/deep/1.jpg
stays oldest b/22.png
stays first-path a/deep/1.jpg
stays deepest a/deep/1.jpg
stays shallowest b/22.png
stays shortest-path 'c/3 c/33'
stays longest-path a/deep/1.jpg
stays most-links 'c/3 c/33'
stays in:b b/22.png
stays "in:$T/work/b" b/22.png
stays not-in:c b/22.png
# A ~ behind a colon, which no shell replaces.
home=$HOME
HOME=$T/work
stays 'newest,in:~/b' a/deep/1.jpg
stays 'in:~/b,newest' b/22.png
stays 'not-in:~/c' b/22.png
HOME=$T/work/c
stays 'in:~' 'c/3 c/33'
run 2 rm -rn . --keep 'in:~nobody/b'
err_has '~nobody/b'
mkdir '~'
cp -p b/22.png '~/4'
scan .
run 1 rm -rn . --keep 'in:./~'
out_has "stays: $T/work/~/4"
rm -r '~'
scan .
printf '[rm]\nkeep = in:~\n' >"$T/config"
export TWINDEX_CONFIG="$T/config"
run 1 rm -rn .
out_has "stays: $T/work/c/3"
TWINDEX_CONFIG='' HOME=$home
stays 'name:*.jpg' a/deep/1.jpg
stays 'regex:/b/[0-9]{2\,3}\.' b/22.png
stays shallowest,oldest b/22.png
stays shallowest,newest 'c/3 c/33'
stays 'not-in:a,not-in:b' 'c/3 c/33'
run 1 rm -rn . --keep shallowest --keep oldest
out_has "       stays: $T/work/b/22.png"
# The order of roots is that in which they came into the index.
run 0 forget .
scan b
scan a c
stays root-order b/22.png
run 0 forget b
scan .

# What the rules choose stays also where other copies were not named.
run 1 rm -n b/22.png --keep oldest
out_has "stays: $T/work/b/22.png (the copy that --keep chooses)"
run 0 rm -n b/22.png --keep newest
# What is protected is the copy that stays.
run 1 rm -rn . --protect b
out_has "stays: $T/work/b/22.png (protected)"
out_has "would remove 3 files"
run 1 rm -rn . --protect b --protect a --keep newest
out_has 'would remove 2 files'
run 1 rm b/22.png --yes --protect .
out_has '0 files removed'
# Only there.
run 0 rm -rn . --only c
out_has 'would remove 2 files'
run 0 rm -rn a b --only a --only c
out_has 'would remove 1 file,'
run 2 rm -rn a --only c
err_has 'no path of the command is at or below a directory of --only'
# Inodes are counted, not names.
run 1 rm -rn . --copies 2
out_has 'would remove 1 file,'
run 1 rm -rn . --copies 3
out_has 'would remove 0 files'
run 1 rm -rn . --copies 2 --keep oldest
out_has "would remove: $T/work/a/deep/1.jpg"
run 1 rm -rn . --copies 0 --keep most-links
out_has 'would remove 2 files'
# Mistakes.
run 2 rm -rn . --keep nevest
err_has "'nevest' is not a rule"
run 2 rm -rn . --keep newest,in:typo
err_has "--keep: '$T/work/typo' does not exist"
for option in --protect --only --in; do
	run 2 rm -rn . $option typo
	err_has "$option: '$T/work/typo' does not exist"
done
run 2 rm -rn . --keep 'regex:('
err_has 'is not a regular expression'

# And it is done as it was said.
need_linux renames that replace nothing: the trash needs that
run 1 rm -r . --yes --keep newest,first-path --trash
[ -e a/deep/1.jpg ] && [ ! -e b/22.png ] && [ ! -e c/3 ] && [ ! -e c/33 ] || fail "left: $(find . -type f)"
run 1 rm -r . --yes --keep oldest
[ -e a/deep/1.jpg ] || fail 'the last copy is gone'

# Any bytes.
d=$(printf 'b\377d')
mkdir "$d" e
printf 'bytes' >"$d/$(printf '\376,x')"
printf 'bytes' >e/x
scan .
run 1 rm -rn "$d" e --keep "in:$d"
out_has "would remove: $T/work/e/x"
run 1 rm -rn "$d" e --keep "name:$(printf '\376')*"
out_has "would remove: $T/work/e/x"
run 1 rm -rn "$d" e --keep "$(printf 'regex:/\376\\,x$')"
out_has "would remove: $T/work/e/x"
