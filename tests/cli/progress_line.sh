# SPDX-License-Identifier: MIT
# On a terminal one line says how far a scan is: as wide as the terminal, gone before anything else and at the end.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
need_linux ways to skip holes: the bytes read would be others
# Longer than any patience, for zeros that lie nowhere are hashed.
truncate -s 4000G a b 2>/dev/null || skip 'no files of this size here'
PYTHONPATH=$srcdir/tests/shell "$PYTHON" -SB - "$TWINDEX" <<'END' || fail 'not what the terminal is to show'
import signal, sys
from ptydrive import Pty

scan = [sys.argv[1], "scan", "--threads", "1", "."]
with Pty(scan, cols=80) as p:
    p.until(lambda: p.line() == "read  0 of 2 files, 0 B of 7.8 TiB (0%), 0 B/s")
    p.resize(24, 30)
    before = len(p.raw)
    p.until(lambda: p.raw[before:].count(b"\r") > 1)
    assert p.lines() == ["read  0 B of 7.8 TiB (0%)"], p.lines()
    p.kill(signal.SIGUSR1)
    p.until(lambda: len(p.lines()) > 2)
    assert "".join(p.lines()).startswith("twindex: read  0 of 2 files, 0 B of 7.8 TiB (0%), "), p.lines()
    p.resize(24, 100)
    p.kill(signal.SIGINT)
    assert p.wait() == 130
    assert p.lines()[-1] == "twindex: interrupted by SIGINT", p.lines()
    assert not [line for line in p.lines() if line.startswith("read")], p.lines()
    assert p.raw.endswith(b"SIGINT\r\n"), p.raw
# What a terminal cannot do it is not asked to.
for argv, env in ((scan + ["--progress", "never"], {}), (scan, {"TERM": "dumb"})):
    with Pty(argv, env=env) as p:
        p.until(lambda: p.tasks()[0][1] == "S" and len(p.tasks()) > 1)
        p.kill(signal.SIGUSR1)
        p.expect(r"twindex: (walk|read)  \d+")
        p.kill(signal.SIGINT)
        assert p.wait() == 130
        assert b"\x1b" not in p.raw, p.raw
END
