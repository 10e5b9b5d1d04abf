# SPDX-License-Identifier: MIT
# On a terminal one line says how far rm, its plan and undo are: it is drawn while they work, and gone at the end.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
need strace
mkdir d e
for f in 1 2 3 4 5 6 7 8; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
PYTHONPATH=$srcdir/tests/shell "$PYTHON" -SB - "$TWINDEX" "$(made renameat2)" <<'END' || fail 'not what the terminal is to show'
import os, re, sys
from ptydrive import Pty

os.environ["ASAN_OPTIONS"] = "detect_leaks=0"


def shows(call, line, *words):
    """Each such call about what lies in d takes a while: such a line is drawn meanwhile, and none is left."""
    slow = ["strace", "-f", "-o", "/dev/null", "-P", os.path.realpath("d"), "-e", "trace=" + call, "-e", f"inject={call}:delay_enter=90000"]
    with Pty([*slow, sys.argv[1], *words]) as p:
        p.wait()
        assert re.search(rb"\r" + line + rb"[^\r]*\x1b\[K", p.raw), p.raw
        assert not [shown for shown in p.lines() if re.match(line, shown.encode())], p.lines()
        return p.lines()


assert shows("newfstatat", b"plan  [0-9]", "rm", "-rn", "d")[-1] == "would remove 8 files, 32.0 KiB on disk", "plan"
assert shows(sys.argv[2], rb"rm  [0-8] of 8 files, .*%\)", "rm", "-r", "d", "--yes")[-2].startswith("8 files removed"), "rm"
assert shows("newfstatat", b"undo  [0-8] of 8 files", "undo")[-1] == "8 acts undone", "undo"
END
[ "$(ls d | wc -l)" -eq 8 ] || fail "undo left $(ls d)"
# refresh tells of every file it looks at, with the last whole scan for all of them; one of a part is no forecast.
mkdir f
for f in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
	printf '%s' $f >f/$f
done
scan .
scan d
PYTHONPATH=$srcdir/tests/shell "$PYTHON" -SB - "$TWINDEX" <<'END' || fail 'not how far refresh is'
import os, re, sys
from ptydrive import Pty

os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
slow = ["strace", "-f", "-o", "/dev/null", "-P", os.path.realpath("f"), "-e", "trace=newfstatat", "-e", "inject=newfstatat:delay_enter=40000"]
for paths, line in ([], rb"\rwalk  (\d+) files \(\d+%\)[^B\r]*\x1b\[K"), (["d", "f"], rb"\rwalk  (\d+) files[^(B\r]*\x1b\[K"):
    with Pty([*slow, sys.argv[1], "refresh", *paths]) as p:
        p.wait()
        assert len(set(re.findall(line, p.raw))) > 1, p.raw
END
# As redundant tells it, who looks at files by the thousand.
run 0 --progress plain redundant d
err_has 'twindex: look  0 of 16 files (0%)'
