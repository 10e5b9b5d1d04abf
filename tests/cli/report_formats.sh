# SPDX-License-Identifier: MIT
# Every machine format is valid whatever the names are, and they all say the same.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
cat >"$T/formats.py" <<'END'
import base64, csv, io, json, os, subprocess
names = [b"plain", b"new\nline", b"quo\"te'", b"back\\slash", b"esc\x1b[31m", b"bad\xff\xfe", b"-dash", b"trail ", b",;", b"cr\r\n",
         b"\xe2\x80\xa8sep", b"\xe2\x80\xaebidi", b"=1+1", b"y" * 255, b"\xc3\xa9"]
tool = os.environ["TWINDEX"].encode()
def run(*args):
    p = subprocess.run([tool, *[a.encode() for a in args]], stdout=subprocess.PIPE)
    assert p.returncode == 0, args
    return p.stdout
here = os.getcwdb()
for i, n in enumerate(names):
    with open(n, "wb") as f:
        f.write(b"set %d" % (i % 3))
with open(b"lone", "wb") as f:
    f.write(b"no copies")
os.link(b"plain", b"plain link")
run("scan", "--racy-window", "0s", ".")
def path(o):
    return base64.b64decode(o["path_b64"]) if o.get("path_b64") else o["path"].encode()
want = {}
for i, n in enumerate(names):
    want.setdefault(i % 3, set()).add(here + b"/" + n)
want = sorted(sorted(s) for s in want.values())
link = here + b"/plain link"

text = run("report", "--json").decode("utf-8", "strict")
assert "\x1b" not in text and "\u2028" not in text and "\u202e" not in text
doc = json.loads(text)
assert doc["schema_version"] == 1
got = sorted(sorted(path(m) for m in s["members"] if m["kind"] == "copy") for s in doc["sets"])
# Which of two links is the copy is not promised.
norm = lambda sets: sorted(sorted(here + b"/plain" if p == link else p for p in s) for s in sets)
assert norm(got) == want, got
assert all(s["redundant"] == (s["copies"] - 1) * s["size"] for s in doc["sets"])
assert doc["totals"]["sets"] == 3 and doc["totals"]["files"] == len(names) + 1 and doc["totals"]["stale"] == 0
assert doc["totals"]["redundant"] == sum(s["redundant"] for s in doc["sets"])

lines = [json.loads(l) for l in run("report", "--format", "ndjson").decode("utf-8", "strict").splitlines()]
assert [l["type"] for l in lines] == ["set"] * 3 + ["totals", "verdict"], lines
lines.pop()
assert norm([path(m) for m in l["members"] if m["kind"] == "copy"] for l in lines[:3]) == want

rows = list(csv.DictReader(io.StringIO(run("report", "--format", "csv").decode("utf-8", "strict"), newline="")))
sets = {}
for r in rows:
    assert None not in r and None not in r.values(), r
    if r["kind"] == "copy":
        sets.setdefault(r["set"], set()).add(path(r))
assert norm(sets.values()) == want
assert sum(r["kind"] == "link" for r in rows) == 1

null = run("report", "-0")
assert null.endswith(b"\0\0")
assert norm(s.split(b"\0") for s in null[:-2].split(b"\0\0")) == want
assert null == run("report", "--null") == run("report", "--format", "null")

# The same of files.
files = json.loads(run("ls", "-v", "--json").decode("utf-8", "strict"))["files"]
states = {path(f): f["state"] for f in files}
assert len(files) == len(names) + 2 and states[here + b"/lone"] == "unique" and states[link] == "dup", states
assert all(f["copies"] == 4 for f in files if f["state"] == "dup"), files
lines = [json.loads(l) for l in run("ls", "--format", "ndjson").decode("utf-8", "strict").splitlines()][:-1]
assert {path(f): f["state"] for f in lines} == states
rows = list(csv.DictReader(io.StringIO(run("ls", "--format", "csv").decode("utf-8", "strict"), newline="")))
assert {path(r): r["state"] for r in rows} == states
assert set(run("ls", "-0").rstrip(b"\0").split(b"\0")) == set(states)
for command in ("ls", "dups", "uniques"):
    for form, end in (("json", b"}\n"), ("ndjson", b"}\n"), ("csv", b"\r\n"), ("null", b"")):
        out = run(command, "--format", form, "--depth", "1", "-x", "/")
        assert out.endswith(end)
assert json.loads(run("report", "--min-size", "1G", "--json"))["sets"] == []
assert json.loads(run("dups", "-x", ".", "--json"))["files"] == []
END
"$PYTHON" -S "$T/formats.py" || fail 'see above'
run 2 report --format xml
err_has 'text, fdupes, json, ndjson, csv, null'
