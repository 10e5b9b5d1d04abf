# SPDX-License-Identifier: MIT
# Names of any bytes are indexed and come back as they are.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
cat >"$T/names.py" <<'END'
import os, subprocess, sys
names = [b"new\nline", b"qu'ote", b'dquo"te', b"back\\slash", b"esc\x1b]0;x\x07", b"bad\xff\xfe", b"-rf", b"--help", b" lead",
         b"trail ", b"$(touch P)", b"`touch P`", b"*", b"tab\t", b"cr\r", b"del\x7f", b"\xc2\x85", b"\xe2\x80\xae", b"x" * 255,
         b"\\xff", b"\\", b"\xc3\xa9", b"a\xcc\x81", b"=cmd|calc", b"bad\xffdir", b"%s%n", b"~", b"/xff"[1:]]
tool = os.environ["TWINDEX"]
def run(*args, want=0):
    p = subprocess.run([tool.encode()] + [a if isinstance(a, bytes) else a.encode() for a in args], stdout=subprocess.PIPE)
    assert p.returncode == want, (args, p.returncode)
    return p.stdout
here = os.getcwdb()
os.mkdir(b"d")
made = set()
for n in names:
    for d in (b"d", b"d/" + n + b".d" if len(n) < 200 else b"d"):
        os.makedirs(d, exist_ok=True)
        with open(d + b"/" + n, "wb") as f:
            f.write(b"same content")
        made.add(here + b"/" + d + b"/" + n)
run("scan", "--racy-window", "0s", ".")
sets = run("report", "-0").split(b"\0\0")
assert set(sets[0].split(b"\0")) == made, set(sets[0].split(b"\0")) ^ made
assert set(run("dups", "-0").rstrip(b"\0").split(b"\0")) == made
# Every one is found by its name.
for p in sorted(made):
    out = run("file", "-0", "--", p)
    assert set(out.rstrip(b"\0").split(b"\0")) == made, p
out = run("scan", "--racy-window", "0s")
assert b"read        0 files" in out and b"0 new, 0 changed, 0 gone" in out, out
assert run("check") == b"ok\n"
assert not os.path.exists(b"P")
END
"$PYTHON" -S "$T/names.py" || fail 'see above'
# From within the directory, where a leading dash meets the option parser.
cd d || exit 99
run 2 file -rf
run 0 file -- -rf
out_has "dup  $T/work/d/-rf"
run 0 file ./-rf
out_has "dup  $T/work/d/-rf"
