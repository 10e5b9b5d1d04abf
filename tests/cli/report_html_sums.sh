# SPDX-License-Identifier: MIT
# The tiles of report --html add up to what it says can go, which is what report and du say.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'

# Copies within and across directories, three of one, hard links across, links to outside, and files alone.
mkdir -p a/b/c a/d e/f/g e/deep/er/only h out none
n=0
for dir in a a/b a/b/c a/d e e/f e/f/g e/deep/er/only h; do
	for size in 1000 1001 1002 7 5000; do
		n=$((n + 1))
		[ $((n % 4)) -eq 0 ] || printf "%0${size}d" $size >$dir/$size
	done
	printf '%050d' $n >$dir/alone
done
cp a/5000 a/b/again && cp a/5000 a/b/'more again'
printf '%03000d' 1 >a/linked && ln a/linked e/linked && ln a/linked h/linked && cp a/linked e/f/copy
printf '%02000d' 2 >e/outside && ln e/outside out/outside && cp e/outside h/inside
printf '%04000d' 3 >a/one && ln a/one a/b/two && cp a/one a/d/three && ln a/d/three a/d/four
printf x >none/x
# Many small ones, of which not all have a tile.
mkdir h/many
for i in 1 2 3 4 5 6 7 8 9; do
	for j in 1 2 3 4 5 6 7 8 9; do
		mkdir h/many/$i${j}1 h/many/$i${j}2 h/many/$i${j}3
		for k in 1 2 3; do echo $i$j >h/many/$i$j$k/$j; done
	done
done
scan a e h none

cat >"$T/sums.py" <<'END'
import collections, json, os, re, shutil, subprocess, sys, xml.etree.ElementTree
program, path, excluded, roots = shutil.which(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]


def run(*words):
    ran = subprocess.run([program, *words], stdout=subprocess.PIPE, check=False)
    assert ran.returncode in (0, 3), words
    return ran.stdout.decode()


def expect(what, got, want):
    if got != want:
        sys.exit(f"{path or 'the index'}: {what}: {got} instead of {want}")


options = ["-x", excluded] if excluded else []
paths = [path] if path else []
tree = xml.etree.ElementTree.fromstring(run("report", "--html", "-", "--bytes", *options, *paths))
answer = " ".join("".join(next(p for p in tree.iter("p") if p.get("class") == "answer").itertext()).split())
found = re.fullmatch(r"([\d,]+) \((\d+)%\) of ([\d,]+) in ([\d,]+) files? can go, a copy stays: ([\d,]+) sets? of duplicates\.", answer)
redundant, percent, size, files, sets = (int(part.replace(",", "")) for part in found.groups())


# What du says of each directory: one answer for all.
top = path or os.path.commonpath(roots)
every = json.loads(run("tree", "--json", "--depth", "9", "--top", "0", *options, top))
du = {d["path"]: d for d in every["dirs"] if d["kind"] == "dir"}
total = every["total"]
expect("what can go, by du", total["redundant"], redundant)
expect("bytes, by du", total["bytes"], size)
expect("files, by du", total["files"], files)
totals = json.loads(run("report", "--json", *options, *paths))["totals"]
expect("sets, by report", totals["sets"], sets)
if not path:
    expect("what is redundant, by report", totals["redundant"], redundant)

parts = [i.tail.split()[0] for i in tree.iter("i") if i.get("class") in ("p0", "p1", "p2")]
expect("the three parts", sum(int(part.replace(",", "")) for part in parts), size)

# Portions as the page explains them, from the disk.
inodes, contents, goes = collections.defaultdict(list), collections.defaultdict(list), collections.Counter()
for root in roots:
    for where, _, names in os.walk(root):
        for name in names:
            st = os.lstat(os.path.join(where, name))
            inode = st.st_dev, st.st_ino, st.st_nlink, st.st_size
            if not excluded or not (where + "/").startswith(excluded + "/"):
                inodes[inode].append(os.path.join(where, name))
            else:
                # What is excluded is pretended not to exist.
                goes[inode] += 1
for inode, names in inodes.items():
    with open(names[0], "rb") as f:
        contents[f.read()].append(inode)


def below(name, of):
    return of == "/" or name.startswith(of + "/")


def whole(inode):
    return len(inodes[inode]) + goes[inode] == inode[2] and all(below(name, top) for name in inodes[inode])


portions = collections.Counter()
for copies in contents.values():
    stays = all(whole(i) for i in copies)
    for inode in copies:
        if len(copies) > 1 and inode[3] > 0 and whole(inode):
            frees = inode[3] * (len(copies) - 1) / len(copies) if stays else inode[3]
            for name in inodes[inode]:
                portions[name] += frees / len(inodes[inode])
expect("what can go, from the disk", round(sum(portions.values())), redundant)


class Tile:
    def __init__(self, svg):
        name, portion, alone = re.fullmatch(r"(.*): ([\d,]+)(?:; from here alone (.*))?", svg.find("title").text).groups()
        self.name, self.portion = name, int(portion.replace(",", ""))
        self.alone = [int(n.replace(",", "")) for n in re.findall(r"[\d,]+", alone)] if alone else None
        self.x, self.y, self.w, self.h = (float(svg.get(k)[:-1]) for k in ("x", "y", "width", "height"))
        self.box, self.within = svg.get("class") == "box", []

    def holds(self, o):
        return self.box and self.x <= o.x and self.y <= o.y and o.x + o.w <= self.x + self.w + .1 and o.y + o.h <= self.y + self.h + .1


def check(within, of, portion):
    expect(f"tiles of {of}", sum(t.portion for t in within), portion)
    area = sum(t.w * t.h for t in within)
    for t in within:
        part = t.portion / portion * area
        if abs(t.w * t.h - part) > .1 + part / 20:
            sys.exit(f"{of}: {t.name} has an area of {t.w * t.h} instead of {part}")
        if not t.alone:
            continue
        direct = t.name == "files directly here"
        at = of if direct else os.path.join(of, t.name)
        mine = [p for name, p in portions.items() if (os.path.dirname(name) == at if direct else below(name, at))]
        # What a division leaves goes to some of them.
        if abs(sum(mine) - t.portion) > len(mine):
            sys.exit(f"{at}: a portion of {t.portion} instead of {sum(mine)}")
        if not direct:
            of_it = du[at]
            expect(f"{at} alone", [t.alone[0], *t.alone[2:]], [of_it["redundant"], of_it["bytes"], of_it["files"]])
        if t.box:
            check(t.within, at, t.portion)
    return area


seen = 0
for section in tree.iter("section"):
    seen += 1
    drawn = [Tile(s) for m in section.iter("svg") if m.get("class") == "map" for s in m.iter("svg") if s is not m]
    tops = []
    for i, tile in enumerate(drawn):
        above = [t for t in drawn[:i] if t.holds(tile)]
        (above[-1].within if above else tops).append(tile)
    of = os.path.join(*"".join(section.find("h3").itertext()).split(" › "))
    said = section.find("p").text.split()[0].replace(",", "") if section.get("id") != "top" else redundant
    if abs(check(tops, of, int(said)) - 10000) > 20:
        sys.exit(f"{of}: the tiles do not fill the map")
expect("maps", seen > 0, redundant > 0)

# The table of directories adds up, too.
tables = list(tree.iter("table"))
if redundant > 0:
    rows = [[cell.text for cell in row] for row in tables[0].find("tbody")]
    expect("the table", sum(int(row[0].replace(",", "")) for row in rows), redundant)
    foot = tables[0].find("tfoot")[0]
    expect("the table's end", [foot[0].text, foot[2].text], [str(redundant)] * 2)
END
python_forks "$PYTHON" -S collections json re shutil subprocess xml.etree.ElementTree
# sums PATH EXCLUDED: they add up in the page of PATH, or '' for the whole index.
sums()
{
	forked "$T/summed" "$T/summed-err" "$T/sums.py" "$by_name" "${1:+$T/work/$1}" "${2:+$T/work/$2}" \
		"$T/work/a" "$T/work/e" "$T/work/h" "$T/work/none"
	[ "$got" -eq 0 ] || fail "$(cat "$T/summed" "$T/summed-err")"
}
sums '' ''
for dir in a a/b e e/deep h h/many none; do ! in_turn || sums $dir ''; done
sums a e
sums '' h

# Whatever is excluded or is not there any more, what is left adds up.
rm a/5000 && scan a && sums '' ''
