# SPDX-License-Identifier: MIT
# scan --payload tells files that differ in their tags alone, as long as they are as they were read; file, report and similar name them.
. "$srcdir/tests/cli/lib.sh"

# jpeg TAG DATA: a picture.
jpeg()
{
	printf '\377\330'
	[ -z "$1" ] || printf '\377\376\0\005%.3s' "$1"
	printf '\377\300\0\006siz\1\377\332\0\004sc%s\377\331' "$2"
}
mkdir a b c
jpeg '' one >a/1.jpg
jpeg tag one >b/1.JPG
jpeg TAG one >c/other.jpeg
cp c/other.jpeg c/copy.jpeg
jpeg '' two >a/2.jpg
jpeg tag two >b/2.jpg
jpeg '' three >a/3.jpg
cp a/3.jpg b/3.jpg
jpeg '' cut >a/4.jpg
jpeg tag cut | head -c 20 >b/4.jpg
jpeg tag one >a/picture.txt

scan .
run 2 report --payload
err_has 'there are no payloads yet'
run 0 file a/3.jpg
out_lacks 'other tags'
run 0 scan --payload --racy-window 0s
out_line 'payloads    9 computed, 1 file without'
run 1 file a/1.jpg
out_has "            same content, other tags: $T/work/b/1.JPG (28 B, "
out_has "            same content, other tags: $T/work/c/other.jpeg (28 B, "
out_has "            same content, other tags: $T/work/c/copy.jpeg (28 B, "
# A copy is none of these, a file without payload has none.
run 0 file a/3.jpg
out_lacks 'other tags'
run 0 file c/copy.jpeg
[ "$(grep -c 'other tags' "$T/out")" -eq 2 ] || fail 'a copy is shown as one with other tags'
run 1 file b/4.jpg
out_lacks 'other tags'
run 0 file -x b c/copy.jpeg
out_lacks b/1.JPG
run 1 file --json a/2.jpg
out_has '"other_tags":[{"path":"'"$T"'/work/b/2.jpg","size":28,"mtime":"20'
# Other formats have no lines for people.
run 1 file --format null a/1.jpg
tr '\0' '!' <"$T/out" >"$T/told"
says "$T/told" "$T/work/a/1.jpg!"

run 0 report --payload
sed 's/, [-0-9]* [:0-9]*)/)/' "$T/out" >"$T/told"
cat >"$T/want" <<END
jpeg, 17 B without tags, in 4 files
    $T/work/a/1.jpg (21 B)
    $T/work/b/1.JPG (28 B)
    $T/work/c/copy.jpeg (28 B)
    $T/work/c/other.jpeg (28 B)
jpeg, 17 B without tags, in 2 files
    $T/work/a/2.jpg (21 B)
    $T/work/b/2.jpg (28 B)
2 contents with other tags in 6 files; they are no copies: rm and link leave them
END
cmp "$T/want" "$T/told" || fail "$(cat "$T/told")"
run 0 report --payload c
out_has '1 content with other tags in 4 files'
run 0 similar --payload
cat >"$T/want" <<END
2 files, 34 B without tags:
    $T/work/a
    $T/work/b
1 file, 17 B without tags:
    $T/work/a
    $T/work/c
1 file, 17 B without tags:
    $T/work/b
    $T/work/c
3 pairs of directories with files of one content and other tags
END
cmp "$T/want" "$T/out" || fail "$(cat "$T/out")"

# Nothing is read twice; what changed is, and what is new.
run 0 scan --payload --racy-window 0s
out_line 'payloads    0 computed'
jpeg '' four >b/2.jpg
run 3 report --payload
out_lacks b/2.jpg
run 0 scan -q --racy-window 0s
run 3 report --payload
err_has 'the payload of 1 file is not known'
run 0 scan --payload --racy-window 0s
out_line 'payloads    1 computed'
run 0 report --payload
out_has '1 content with other tags in 4 files'
rm b/1.JPG
run 0 report --payload
out_lacks b/1.JPG
run 0 scan -q --racy-window 0s
run 0 check

# Of one size, with tags that tell them apart before they are read whole.
mkdir large
{ jpeg tag "$(head -c 70000 /dev/zero | tr '\0' x)"; } >large/1.jpg
{ jpeg TAG "$(head -c 70000 /dev/zero | tr '\0' x)"; } >large/2.jpg
run 0 scan -q --payload --racy-window 0s large
run 1 file large/1.jpg
out_has "same content, other tags: $T/work/large/2.jpg"
run 0 report --payload large
out_has '1 content with other tags in 2 files'

# What can't be read is told.
if [ "$(id -u)" != 0 ]; then
	jpeg '' five >a/5.jpg
	chmod 0 a/5.jpg
	run 3 scan --payload --racy-window 0s
	err_has "payload of '$T/work/a/5.jpg': Permission denied"
	rm -f a/5.jpg
fi
run 2 scan --payload -n .
err_has 'does not go with --payload'
run 2 report --payload --top 3
err_has 'no option chooses'
run 2 similar --payload --names
err_has 'no option chooses'
run 2 report --payload --format csv
err_has '--payload lists as text'
