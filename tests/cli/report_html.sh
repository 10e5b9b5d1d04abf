# SPDX-License-Identifier: MIT
# report --html writes one page with nothing from outside: well-formed, names escaped, as a whole or not at all.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'

# Four files of 60 bytes in mine and in its mirror, and two of 5 bytes beside each other.
mkdir -p "mine/<script>alert(1)<" "mine/a&b\"'" 'mine/back\slash' mirror
bad=$(printf 'bad\377name\033[2J\342\200\256end\357\277\276')
mkdir "mine/$bad" 2>/dev/null || skip 'no such names here'
for d in mine/*; do
	printf '%060d' "${#d}" >"$d/one$newline<b>two"
done
cp -R mine/* mirror
printf '12345' >mine/5 && cp mine/5 mine/again
: >mine/empty && printf 'only here' >mine/only
scan .

cat >"$T/page.py" <<'END'
import re, sys, xml.etree.ElementTree
page = open(sys.argv[1], encoding="utf-8").read()
assert page.startswith("<!DOCTYPE html>\n") and page.endswith("</html>\n")
tree = xml.etree.ElementTree.fromstring(page)
assert {e.tag for e in tree.iter()} <= set("html head meta title style body main header div h1 h2 h3 p ul li dl dt dd code em strong span bdi i a svg "
    "rect text tspan section details summary table thead tbody tfoot tr th td".split()), "an element that nobody wrote"
assert {k for e in tree.iter() for k in e.attrib} <= set("lang charset http-equiv content name class id href x y width height "
    "role aria-label aria-hidden".split()), "an attribute that nobody wrote"
assert not re.search(r"https?:|url\(|@import|//", page), "something from outside"
policy = [m.get("content") for m in tree.iter("meta") if m.get("http-equiv") == "Content-Security-Policy"]
assert policy == ["default-src 'none'; style-src 'unsafe-inline'"], policy
assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page.replace("\t", "")), "a control"
assert tree.get("lang") == "en" and all(t.text for t in tree.iter("title")), "no language, or no title"
maps = [e for e in tree.iter("svg") if e.get("class") == "map"]
assert all(m.get("aria-label") for m in maps), "a map without a name"
assert all(e.get("role") == "img" and e.find("title") is not None for m in maps for e in m.iter("svg") if e is not m), "a tile without a title"
ids = [e.get("id") for e in tree.iter("section")]
assert len(set(ids)) == len(ids) and all(a.get("href")[1:] in ids for a in tree.iter("a")), "a link leads nowhere"
assert ids == [] or ids[-1] == "top"
for text in sys.argv[2:]:
    assert text in " ".join("".join(tree.itertext()).split()), text
END
python_forks "$PYTHON" -S re xml.etree.ElementTree
# page FILE TEXT...: it is a page, and has these texts.
page()
{
	forked "$T/paged" "$T/paged-err" "$T/page.py" "$@"
	[ "$got" -eq 0 ] || fail "$1: $(cat "$T/paged" "$T/paged-err")"
}

run 0 report --html page.html
out </dev/null
page page.html "Duplicates in $T/work" '245 B (49%) of 499 B in 12 files can go, a copy stays: 5 sets of duplicates.' \
	'<script>alert(1)<' "a&b\"'" 'back\\slash' 'bad\xffname\x1b[2J\xe2\x80\xaeend\xef\xbf\xbe' 'one\n<b>two' 'How this is counted' \
	'Directories that share content' "240 B4 92% of $T/work/mine only here: 3 files, 19 B 100% of $T/work/mirror"

# Next steps stand as a shell takes them, with the index that the program was told; none has a name
# that a page can't show.
cat >"$T/steps.py" <<'END'
import sys, xml.etree.ElementTree
for code in xml.etree.ElementTree.parse(sys.argv[1]).iter("code"):
    print(code.text)
END
# steps FILE: its commands, a line each.
steps()
{
	forked "$T/stepped" "$T/stepped-err" "$T/steps.py" "$1"
	cat "$T/stepped" "$T/stepped-err"
}
odd='"$(touch ran)" & `touch ran`  it'\''s\'
mkdir steps steps/mirror "steps/$odd" && printf '%0500d' 1 >"steps/$odd/one" && cp "steps/$odd/one" steps/mirror && scan .
run 0 report --html page.html steps
steps page.html >"$T/steps"
word=$(printf '%s\n' "$T/work/steps/$odd" | sed "s/'/'\\\\''/g; s/.*/'&'/")
printf 'twindex %s\n' "redundant $T/work/steps" "decide $word" "safe $word" | cmp - "$T/steps" || fail "$(cat "$T/steps")"
sed 's/^twindex /"$by_name" /' "$T/steps" >"$T/steps.sh"
(. "$T/steps.sh") </dev/null >"$T/out" 2>"$T/err" || { show_run; fail 'the last step is not what a shell takes, or not safe'; }
[ ! -e ran ] || fail 'a name was run'
run 0 --db "$TWINDEX_DB" report --html page.html steps
[ "$(steps page.html | grep -cF "twindex --db $TWINDEX_DB ")" -eq 3 ] || fail "$(steps page.html)"
mkdir steps/three && cp steps/mirror/one steps/three && scan .
run 0 report --html page.html -x steps/mirror steps
steps page.html | sed -n 's/ -x .*//p' | cmp - /dev/fd/3 3<<'END' || fail "$(steps page.html)"
twindex redundant
twindex safe
END
[ "$(steps page.html | grep -cF " -x $T/work/steps/mirror ")" -eq 2 ] || fail "something excluded is not: $(steps page.html)"
rm -r steps/three && mv "steps/$odd" "steps/$bad" && scan .
run 0 report --html page.html "steps/$bad"
[ -z "$(steps page.html)" ] || fail "a name that can't be copied: $(steps page.html)"
rm -r steps && scan .

# Of one directory; on standard output; with nothing that can go.
run 0 report --html - mine
cp "$T/out" "$T/mine.html" && page "$T/mine.html" "Duplicates in $T/work/mine" '245 B'
run 0 report --html - mine -x mirror --bytes
cp "$T/out" "$T/mine.html" && page "$T/mine.html" '5 (1%) of 259 in 8 files can go, a copy stays: 1 set'
mkdir none && printf x >none/x && scan .
run 0 report --html - none
cp "$T/out" "$T/none.html" && page "$T/none.html" '0 B (0%) of 1 B in 1 file can go'

# What was not judged is in the page, and the exit status is that of report.
mkdir mirror/new && rm mine/again
run 0 report --html page.html
page page.html 'up to ' 'gone or changed since the last scan'

# A regular file is replaced as a whole, with its permissions, behind a link, too; others are written to.
chmod 640 page.html && ln page.html old && ln -s page.html link
cp -p page.html before && run 0 report --html link
[ -h link ] && cmp old before && ! [ old -ef page.html ] || fail 'not replaced'
[ "$(ls -l page.html | cut -c 1-10)" = -rw-r----- ] || fail 'other permissions'
mkfifo pipe
cat pipe >read & reader=$!
run 0 report --html pipe
wait $reader && [ -p pipe ] && cmp read page.html || fail 'a FIFO'
run 0 report --html /dev/stdout && cmp "$T/out" page.html || fail /dev/stdout
run 0 report --html /dev/null && [ -c /dev/null ] || fail /dev/null
run 6 report --html mine
run 6 report --html missing/page.html
run 2 report --html "$TWINDEX_DB"
err_has 'a file of the index'
run 2 report --html "$TWINDEX_DB-wal"
ls -A | grep -F .twindex && fail 'something is left'

# Options that choose sets, and files, have no map.
for options in '--top 3' '--min-size 2' --json --across '--keep oldest' '--sort size' 'mine mirror' mine/5 '--name 5'; do
	in_turn || continue
	# shellcheck disable=SC2086
	run 2 report --html page.html $options
done

# Large ones take half of the time of this test.
[ -n "${EVERY_KIND:-}${LARGE:-}" ] || exit 0
# Names that make it too large: the last rows are left out, and said to be.
amps=$(printf '%0240d' 0 | tr 0 '&') deep=.
while [ ${#deep} -lt 3400 ]; do deep=$deep/$amps; done
mkdir -p "large/$deep" && cd "large/$deep" || fail 'no deep directory'
for set in 1 2 3 4 5 6 7 8; do
	for copy in a b c d e f g h i j k l m n o p q r s t; do echo $set >$set$copy; done
done
cd "$T/work" && scan -q large && run 0 report --html large.html large
page large.html ' more' && rm -r large
[ "$(wc -c <large.html)" -le 2000000 ] && [ "$(wc -c <large.html)" -gt 500000 ] || fail "$(wc -c <large.html) bytes"

# Nor do tiles make it larger: so many with such names that not even one map has room for all.
cat >"$T/wide.py" <<'END'
import os
for i in range(16):
    for j in range(40):
        d = f"wide/{i:02}/{j:02}" + 8 * ("/" + 240 * "&")
        os.makedirs(d)
        with open(d + "/file", "w") as f:
            f.write("1" * (1000 + j // 2))
END
"$PYTHON" -S "$T/wide.py" || fail 'no wide directory'
scan -q wide && run 0 report --html large.html wide && rm -r wide
page large.html
[ "$(wc -c <large.html)" -le 2000000 ] && [ "$(wc -c <large.html)" -gt 50000 ] || fail "$(wc -c <large.html) bytes with many names"

# Among more than 2 million files no pairs are looked for, which the page says.  LARGE=1, as .ci/run has it: it takes 10 s.
[ -n "${LARGE:-}" ] && [ -n "$SQLITE3" ] || exit 0
rm -f "$TWINDEX_DB"*
mkdir -p huge/a huge/b && echo same >huge/a/1 && cp huge/a/1 huge/b/1 && scan -q huge
# fill N: so many empty files more, of which only the index knows.
fill()
{
	"$SQLITE3" "$TWINDEX_DB" "PRAGMA synchronous = OFF;
		WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
		INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error)
			SELECT dir, printf('%07d', i), NULL, 0, 0, volume, i << 32, 1, 0, 0, 0, 0, NULL, NULL, 0, NULL, NULL
		FROM n, (SELECT dir, volume FROM file LIMIT 1)" || fail 'no rows'
}
fill 1 1999998
run 0 report --html page.html
page page.html
grep -q '<h2>Directories that share content' page.html || fail 'there are no pairs'
fill 1999999 1999999
run 0 report --html page.html
page page.html 'directories were not compared with each other, for too many files are in the index'
! grep -q '<h2>Directories that share content' page.html || fail 'there are pairs, too'
