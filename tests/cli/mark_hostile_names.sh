# SPDX-License-Identifier: MIT
# Names of any bytes can be marked, listed, undone and cleared.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
cat >"$T/names.py" <<'END'
import base64, csv, io, json, os, subprocess
names = [b"new\nline", b"bad\xff\xfe", b"-rf", b"--help", b"drop", b"undo", b" lead", b"back\\slash", b"\\xff", b"*", b"'", b'"',
         b"cr\r", b"\x1b[31m", b"\xe2\x80\xae", b"%", b"a%b_c", b"\xc3\xa9", b"x" * 255]
tool = os.environ["TWINDEX"].encode()
def run(*args, want=0):
    p = subprocess.run([tool] + [a if isinstance(a, bytes) else a.encode() for a in args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.returncode == want, (args, p.returncode, p.stderr)
    return p.stdout
here = os.getcwdb() + b"/"
for d in (b"d", b"bad\xffdir", b"bad\xffdi"):
    os.mkdir(d)
made = set()
for n in names:
    for d in (b"d/", b"bad\xffdir/"):
        with open(d + n, "wb") as f:
            f.write(b"same content")
        made.add(here + d + n)
with open(b"bad\xffdi/r", "wb") as f:
    f.write(b"same content")
run("scan", "--racy-window", "0s", ".")
def marked():
    out = run("marks", "-0")
    assert out == b"".join(p + b"\0" for p in sorted(out[:-1].split(b"\0"))) or not out
    return set(out[:-1].split(b"\0")) if out else set()
def path(o):
    return base64.b64decode(o["path_b64"]) if o.get("path_b64") else o["path"].encode()
for p in sorted(made):
    run("mark", "drop", "--", p)
assert marked() == made
run("mark", "drop", here + b"bad\xffdi/r", want=1)
doc = json.loads(run("marks", "--json").decode("utf-8", "strict"))
assert {path(m) for m in doc["marks"]} == made and doc["totals"]["drop"] == len(made), doc
rows = csv.DictReader(io.StringIO(run("marks", "--format", "csv").decode("utf-8", "strict"), newline=""))
assert {path(r) for r in rows} == made
files = json.loads(run("ls", "--json").decode("utf-8", "strict"))["files"]
assert {path(f) for f in files if f["mark"] == "drop"} == made
assert len(run("sql", "--no-header", "--format", "csv", "SELECT f.path FROM mark_view m JOIN file_view f USING (path)").split(b"\r\n")) - 1 == len(made)
run("mark", "undo")
assert len(marked()) == len(made) - 1
run("mark", "clear", here + b"bad\xffdir")
assert marked() == {p for p in made if p.startswith(here + b"d/")} - {max(made)}, marked()
run("mark", "keep", ".")
assert marked() == made | {here + b"bad\xffdi/r"}
run("mark", "clear", here + b"bad\xffdi")
assert marked() == made
END
"$PYTHON" -S "$T/names.py" || fail 'see above'
cd d || exit 99
run 0 mark drop --force ./-rf drop
run 0 mark drop --force -- -rf --help
run 2 mark drop -rf
