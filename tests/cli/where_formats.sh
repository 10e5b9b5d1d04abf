# SPDX-License-Identifier: MIT
# where: every machine format is valid whatever the names are, and they all say the same.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
cat >"$T/formats.py" <<'END'
import base64, csv, io, json, os, subprocess
names = [b"plain", b"new\nline", b"quo\"te'", b"back\\slash", b"esc\x1b[31m", b"bad\xff\xfe", b"-dash", b"trail ", b",;",
         b"cr\r\n", b"\xe2\x80\xa8sep", b"\xe2\x80\xaebidi", b"=1+1", b"y" * 255, b"\xc3\xa9", b"\xfe"]
tool = os.environ["TWINDEX"].encode()
def run(*args, want=0):
    p = subprocess.run([tool, *[a if isinstance(a, bytes) else a.encode() for a in args]], stdout=subprocess.PIPE)
    assert p.returncode == want, (args, p.returncode)
    return p.stdout
here = os.getcwdb()
want = {here: None, here + b"/d": None}
os.mkdir("d")
for i, n in enumerate(names):
    for p in (n, b"d/" + n):
        with open(p, "wb") as f:
            f.write(b"x" * i)
        want[here + b"/" + p] = i
run("scan", "--racy-window", "0s", ".")
def path(o):
    return base64.b64decode(o["path_b64"]) if o.get("path_b64") else o["path"].encode()
doc = json.loads(run("where", "*", "--json").decode("utf-8", "strict"))
assert {path(o): o.get("size") for o in doc["found"]} == want and len(doc["found"]) == len(want)
assert all((o["type"] == "dir") == ("size" not in o) for o in doc["found"])
lines = [json.loads(l) for l in run("where", "*", "--format", "ndjson").decode("utf-8", "strict").splitlines()]
assert lines[:-1] == doc["found"] and lines[-1]["type"] == "verdict"
rows = list(csv.DictReader(io.StringIO(run("where", "*", "--format", "csv").decode("utf-8", "strict"), newline="")))
assert {path(r): int(r["size"]) if r["size"] else None for r in rows} == want
null = run("where", "*", "-0")
assert null.endswith(b"\0")
assert null[:-1].split(b"\0") == [path(o) + (b"/" if o["type"] == "dir" else b"") for o in doc["found"]]
assert run("where", "*", "--format", "fdupes") == run("where", "*") == null.replace(b"\0", b"\n")
for n in names:
    assert run("where", "-0", "--", n) == here + b"/" + n + b"\0" + here + b"/d/" + n + b"\0", n
    assert run("where", "-0", "--", b"d/" + n) == here + b"/d/" + n + b"\0", n
assert json.loads(run("where", "nothing", "--json", want=1))["found"] == []
END
"$PYTHON" -S "$T/formats.py" || fail 'see above'
