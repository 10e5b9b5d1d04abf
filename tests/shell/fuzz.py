# SPDX-License-Identifier: MIT
"""Random sessions with the editor of src/shell/line.c.

In each, random keys, pastes, signals and resizes go to the program `lines`, with the
keys of emacs or vi and a .editrc that asks for the worst.  Now and then, once it has
drawn all, the screen is compared with what the same line looks like when it is drawn
afresh (Ctrl-L).  Nothing may run before Enter is pressed.  At the end lines of random bytes
are typed: each must come out as it was, or be refused with a word; then a known one, and
the program must end as it should.
"""

import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptydrive import Pty  # noqa: E402

LINES = os.environ.get("LINES_PROGRAM", os.path.join(os.environ.get("builddir", "."), "tests/shell/lines"))
# As many as an idle machine does in some seconds.
SESSIONS = int(os.environ.get("SESSIONS", "12" if os.environ.get("EVERY_KIND") else "4"))
FIRST = int(os.environ.get("FIRST", "1"))

SIZES = [(24, 80), (24, 80), (10, 80), (5, 80), (40, 10), (60, 200), (3, 20), (2, 7), (2, 2), (1, 40), (1, 1)]
# Control characters that neither send signals nor end the line.
CONTROLS = [bytes([c]) for c in range(32) if c not in (0o3, 0o4, 0o12, 0o15, 0o21, 0o23, 0o26, 0o32, 0o34)] + [b"\x7f"]
SEQUENCES = [b"\x1b[" + s for s in (b"A", b"B", b"C", b"D", b"H", b"F", b"1~", b"3~", b"4~", b"5~", b"6~", b"1;5C", b"1;5D", b"1;2A", b"[A", b"Z",
                                    b"?1;2c", b"999;999R", b"<0;1;1M", b"20", b"201~", b";" * 50 + b"x")]
SEQUENCES += [b"\x1bO" + s for s in (b"A", b"B", b"C", b"D", b"H", b"F", b"P", b"5C")]
METAS = [b"\x1b" + s for s in (b"b", b"f", b"d", b"p", b"n", b"\x7f", b"\x08", b"x", b"1", b"\x1b", b"\x1b[C")]
WIDE = ["目", "録", "Ａ", "\U0001f600"]
NARROW = ["é", "ß", "€", "e\u0301", "a\u0308\u0301", "x\u200dy", "и"]
HOSTILE = ["\u202e", "\u200f", "\u009b", "\ufeff", "\u2028", "\u0301", "\u200b", "\ue000", "\U0010ffff"]
BROKEN = [b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80"]
VI = [b"\x1b" + s for s in (b"0", b"$", b"dd", b"p", b"P", b"PPPP", b"yy", b"3x", b"u", b".", b"cw", b"dw", b"d$", b"A", b"I", b"i", b"a", b"R", b"~", b"fx", b";", b"D",
                            b"C", b"s", b"S", b"k", b"j", b"K", b"J", b"G", b"/foo", b"v", b"@a", b"_", b"#", b"U", b"rx", b"%", b"9999ix\x1b", b":bind")]
EDITRC = """bind ^T em-universal-argument
settc li 1
bind ^X ed-command
bind ^X^E vi-histedit
bind ^Y em-yank
bind -s q xxxx
bind ^O em-copy-prev-word
bind ^[[A ed-search-prev-history
bind ^B ed-argument-digit
"""
# One after the other on lines of a few characters, where an editor steps beyond them.
VI_LETTERS = b"0$bBeEwWhlxXddccyyDCSspPuUrRfFtT;,%|~aiAI^kjKJ/?nN.:v#_@G()ab \x1b\x1b\x1b\x7f\x08\x01\x05\x0b\x15\x17\x12\x14\x19"
EMACS_LETTERS = b"abz.(_ \x00\x01\x02\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x12\x14\x15\x16\x17\x18\x18\x19\x1b\x1b\x1b\x1d\x1f\x7fwudlcfb<>pn.-_"
MOVES = [b"\x01", b"\x05", b"\x02", b"\x06", b"\x1b[C", b"\x1b[D", b"\x1bb", b"\x1bf"]


def text(rng):
    """Some text, of a length that is likely to end at the edge of a row."""
    kind = rng.random()
    n = rng.choice([1, 1, 1, 2, 5, 20, 80])
    if kind < 0.4:
        return bytes(rng.choice(b"abcdef ghijk lmnop '\"\\$#;|>/-0123456789") for _ in range(n))
    if kind < 0.6:
        return "".join(rng.choice(WIDE + ["a"]) for _ in range(n)).encode()
    if kind < 0.8:
        return "".join(rng.choice(NARROW) for _ in range(n)).encode()
    if kind < 0.9:
        return "".join(rng.choice(HOSTILE) for _ in range(min(n, 5))).encode()
    return b"".join(rng.choice(BROKEN) for _ in range(min(n, 5)))


def long_text(rng, rows, cols):
    """Text that fills the screen to the last row or two, or the rows of a line that is much longer."""
    n = rng.choice([cols - 2, cols, rows * cols - cols, rows * cols - 2, rows * cols, rows * cols + cols, 5000])
    n = min(max(n + rng.randint(-3, 3), 1), 3000 if cols > 20 else 1000)
    return rng.choice([b"x", b"\t", "目".encode(), b"\xff", b"word "]) * n


def keys(rng, rows, cols, vi):
    kind = rng.random()
    if rng.random() < 0.3:
        if vi and kind < 0.5:
            return rng.choice(VI)
        return bytes(rng.choice(VI_LETTERS if vi else EMACS_LETTERS) for _ in range(rng.choice([2, 5, 20])))
    if kind < 0.35:
        return text(rng)
    if kind < 0.5:
        return rng.choice(MOVES)
    if kind < 0.6:
        return rng.choice(CONTROLS)
    if kind < 0.7:
        return rng.choice(SEQUENCES)
    if kind < 0.75:
        return rng.choice(METAS)
    if kind < 0.8:
        return b"\x16" + bytes([rng.choice([c for c in range(256) if c not in (3, 0o32, 0o34, 0o21, 0o23)])])
    if kind < 0.85:
        # Each typed tab would print a list.
        return long_text(rng, rows, cols).replace(b"\t", b"x")
    if kind < 0.9:
        lines = [text(rng) for _ in range(rng.randint(0, 5))]
        return b"\x1b[200~" + rng.choice([b"\n", b"\r", b"\r\n", b"\t", b"\x1b"]).join(lines) + b"\x1b[201~"
    if kind < 0.93:
        return b"\x1b[200~" + long_text(rng, rows, cols) + b"\x1b[201~"
    if kind < 0.95:
        return rng.choice([b"\r", b"\n"])
    if kind < 0.96:
        return b"\x19" * rng.randint(1, 8)
    if kind < 0.97:
        return b"\x12" + text(rng) + rng.choice([b"\x12", b"\x07", b"\x1b", b"\x7f", b"\x05"])
    return rng.choice([b"b\t", b"a\t", b"e\t", b"\t\t", b"m\t"])


def drawn(p):
    return p.lines(), p.screen.row, p.screen.col


def compare(p, done):
    """What is on the screen is what a fresh drawing shows."""
    before, row, col = drawn(p)
    p.send(b"\x0c")
    p.settle()
    after, new_row, new_col = drawn(p)
    # A line that fills the screen may be shown from another row on.
    if max(len(after), len(before), row + 1, new_row + 1) >= p.screen.rows - 1:
        return
    rows = max(len(after), new_row + 1)
    shown = (before + [""] * p.screen.rows)[row - new_row:row - new_row + rows]
    if row < new_row or [s.rstrip() for s in shown] != (after + [""] * rows)[:rows] or col != new_col:
        raise AssertionError("drawn, cursor in %d, %d:\n%s\nafresh, cursor in %d, %d:\n%s\nafter %s"
                             % (row, col, "\n".join(before), new_row, new_col, "\n".join(after), told(done)))


def told(done):
    return ", ".join(repr(d) if len(d) < 100 else "%r... (%d bytes)" % (d[:100], len(d)) for d in done[-6:])


def alive(p, done):
    if not p.read(0):
        raise AssertionError("it died: %d\nafter %s\n%s" % (p.wait(), told(done), p.raw[-9000:].decode("utf-8", "replace")))


def enters(keys):
    """Whether there is an Enter among keys: a paste has none, and a newline behind Ctrl-V is none, but who knows what is behind it."""
    return not keys.startswith(b"\x1b[200~") and (b"\r" in keys or b"\n" in keys)


def types(rng, p, done, rows, cols):
    """Type a line of any bytes: it is run as it is, or refused."""
    line = b"".join(rng.choice([b"x", b"ab ", b"\xff", b"\xe2\x82", "\u76ee".encode(), b"e\xcc\x81", b"\xc2\x9b", "\u202e".encode(), b"9"])
                    for _ in range(rng.choice([1, 3, 20, 80, 300, 990, rows * cols - cols])))
    done.append(line)
    before = len(p.raw)
    p.send(line + b"\r")
    run = b"?2004l%d bytes, ends in '%s'" % (len(line), line[-10:]) if len(line) > 200 else b"?2004l%d '%s'" % (len(line), line)
    try:
        p.until(lambda: run in p.raw[before:] or b"the line is refused" in p.raw[before:])
    except AssertionError as e:
        raise AssertionError("typed %r, got %r" % (line, p.raw[before:][-3000:])) from e
    if b"the line is refused" in p.raw[before:] and len(line) < 8:
        raise AssertionError("a short line is refused")
    p.settle()


def plays(rng, p, done, rows, cols, vi):
    """Random keys, sizes and signals.  Returns the last size."""
    entered = False
    for _ in range(rng.randint(10, 60)):
        kind = rng.random()
        if kind < 0.05:
            rows, cols = rng.choice(SIZES)
            done.append((rows, cols))
            p.resize(rows, cols)
            if rng.random() < 0.5:
                p.settle()
        elif kind < 0.07:
            done.append("stop")
            p.send(b"\x1a")
            time.sleep(0.03)
            p.read(0)
            p.kill(signal.SIGCONT)
        elif kind < 0.08:
            done.append("interrupt")
            p.send(b"\x03")
        else:
            done.append(keys(rng, rows, cols, vi))
            entered = entered or enters(done[-1])
            p.send(done[-1])
            if rng.random() < 0.1:
                p.settle()
        alive(p, done)
        if rng.random() < 0.05 and not vi and b"\x12" not in b"".join(d for d in done if isinstance(d, bytes))[-200:]:
            # Whatever was begun (an escape sequence) ends here.
            p.send(b"\x1b[D")
            p.settle()
            alive(p, done)
            if cols >= 20:
                compare(p, done)
    p.settle()
    if not entered and re.search(rb"\?2004l\d+ ('|bytes)", p.raw):
        raise AssertionError("a line ran without Enter\nafter %s\n%s" % (told(done), p.raw[-3000:].decode("utf-8", "replace")))
    return rows, cols


def session(number, home):
    rng = random.Random(number)
    rows, cols = rng.choice(SIZES)
    vi = rng.random() < 0.35
    with open(os.path.join(home, ".editrc"), "w") as f:
        f.write(("bind -v\n" if vi else "") + (EDITRC if rng.random() < 0.5 else ""))
    env = {"LC_ALL": rng.choice(["C.UTF-8", "C.UTF-8", "C"]), "HOME": home, "PROMPT": rng.choice(["> ", "> ", "twindex:~/目録> ", "x" * 60 + "> "])}
    if rng.random() < 0.1:
        env["BYTES"] = "1"
    history = os.path.join(home, "history")
    with open(history, "ab") as f:
        for i in range(rng.randint(0, 30)):
            f.write(rng.choice([b"ls %d" % i, b"x" * rng.choice([100, 1000, 1023, 1024, 4000]), "目録".encode() * 300, b"\xff\xfe bad"]) + b"\n")
    done = []
    with Pty([LINES, history], env=env, rows=rows, cols=cols) as p:
        p.until(lambda: "?2004" in p.screen.modes)
        rows, cols = plays(rng, p, done, rows, cols, vi)
        # The end of any paste and sequence, and of the line with all that was begun in it.
        p.send(b"\x1b[201~\x1b[D")
        p.settle()
        before = len(p.raw)
        p.send(b"\x03")
        p.until(lambda: b"interrupted\r\n" in p.raw[before:])
        p.settle()
        for _ in range(3):
            types(rng, p, done, rows, cols)
        p.send(b"the last line\r")
        p.until(lambda: b"13 'the last line'" in p.raw)
        p.settle()
        p.send(b"\x04")
        if p.wait() != 0:
            raise AssertionError("status %d\n%s" % (p.status, p.raw[-3000:].decode("utf-8", "replace")))
        p.settle()
        if not p.echoes() or "?2004" in p.screen.modes:
            raise AssertionError("the terminal is not as it was")


def main():
    failed = 0
    home = tempfile.mkdtemp(prefix="twindex-fuzz.")
    try:
        for number in range(FIRST, FIRST + SESSIONS):
            try:
                os.mkdir(os.path.join(home, str(number)))
                session(number, os.path.join(home, str(number)))
            except AssertionError as e:
                failed += 1
                print("session %d: %s" % (number, e), flush=True)
    finally:
        shutil.rmtree(home)
    print("%d sessions, %d failed" % (SESSIONS, failed))
    sys.exit(1 if failed else 0)


main()
