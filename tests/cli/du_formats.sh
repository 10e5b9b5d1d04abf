# SPDX-License-Identifier: MIT
# du, tree, waste: every machine format is valid whatever the names are, and they all say the same.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
cat >"$T/formats.py" <<'END'
import base64, csv, io, json, os, subprocess
names = [b"plain", b"new\nline", b"quo\"te'", b"back\\slash", b"esc\x1b[31m", b"bad\xff\xfe", b"-dash", b"--", b"trail ", b",;",
         b"cr\r\n", b"\xe2\x80\xa8sep", b"\xe2\x80\xaebidi", b"=1+1", b"y" * 255, b"\xc3\xa9", b"*", b"[a]"]
tool = os.environ["TWINDEX"].encode()
def run(*args):
    p = subprocess.run([tool, *[a if isinstance(a, bytes) else a.encode() for a in args]], stdout=subprocess.PIPE)
    assert p.returncode == 0, args
    return p.stdout
here = os.getcwdb()
want = {}
for i, n in enumerate(names):
    os.makedirs(n + b"/sub\xff")
    with open(n + b"/f", "wb") as f:
        f.write(b"x" * (i + 1))
    with open(n + b"/sub\xff/g", "wb") as f:
        f.write(b"common")
    want[here + b"/" + n] = (2, i + 7, 6, 6)
run("scan", "--racy-window", "0s", ".")
def path(o):
    return base64.b64decode(o["path_b64"]) if o.get("path_b64") else o["path"].encode()
def sums(o):
    return tuple(int(o[k]) for k in ("files", "bytes", "duplicated", "redundant"))
# The file of six bytes has other bytes than the common ones.
for command in ("du", "waste"):
    doc = json.loads(run(command, "--json").decode("utf-8", "strict"))
    assert doc["schema_version"] == 1 and sums(doc["total"])[0] == 2 * len(names)
    assert {path(o): sums(o) for o in doc["dirs"]} == want, doc
    lines = [json.loads(l) for l in run(command, "--format", "ndjson").decode("utf-8", "strict").splitlines()]
    assert [l["type"] for l in lines] == ["dir"] * len(names) + ["total", "verdict"]
    lines.pop()
    assert {path(l): sums(l) for l in lines[:-1]} == want and sums(lines[-1]) == sums(doc["total"])
    rows = list(csv.DictReader(io.StringIO(run(command, "--format", "csv").decode("utf-8", "strict"), newline="")))
    last = rows.pop()
    assert last["kind"] == "total" and last["depth"] == "" and path(last) == path(doc["total"]) and sums(last) == sums(doc["total"])
    assert {path(r): sums(r) for r in rows} == want
    assert [path(r) for r in rows] == [path(o) for o in doc["dirs"]]
    assert [float(r["share"]) for r in rows] == [o["share"] for o in doc["dirs"]]
    null = run(command, "-0")
    assert null.endswith(b"\0") and null[:-1].split(b"\0") == [path(o) for o in doc["dirs"]]
    assert run(command, "--format", "fdupes") == null.replace(b"\0", b"\n")
tree = json.loads(run("tree", "--json", "--depth", "0").decode("utf-8", "strict"))
assert {path(o): sums(o) for o in tree["dirs"] if o["depth"] == 1} == want
assert {path(o): sums(o) for o in tree["dirs"] if o["depth"] == 2 and o["kind"] == "dir"} == \
       {p + b"/sub\xff": (1, 6, 6, 6) for p in want}
files = {path(o): sums(o) for o in tree["dirs"] if o["kind"] == "files"}
assert files == {p: (1, n[1] - 6, 0, 0) for p, n in want.items()}, files
text = run("tree", "--bytes")
for n in names:
    assert b"  " + n + b"/\n" in text
    one = json.loads(run("du", "--json", "--", n))
    assert path(one["total"]) == here + b"/" + n and sums(one["total"]) == want[here + b"/" + n]
os.mkdir(b"none")
run("scan", "--racy-window", "0s", ".")
one = json.loads(run("du", "--json", "none"))
assert one["dirs"] == [] and one["total"]["share"] is None
one = list(csv.DictReader(io.StringIO(run("du", "--format", "csv", "--sort", "size").decode(), newline="")))[-2]
assert one["share"] == "" and one["bytes"] == "0", one
END
"$PYTHON" -S "$T/formats.py" || fail 'see above'
