# SPDX-License-Identifier: MIT
"""decide on a terminal: keys without Enter, on any terminal, from the shell and by itself."""

import contextlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from place import PROMPT, TWINDEX, leaves, place, says  # noqa: E402
from ptydrive import Pty, run  # noqa: E402

WHERE = r"keep where\? \[[^]]*\] $"
KEEP = r"keep\? \[[^]]*\] $"


@contextlib.contextmanager
def decide(at, *args, rows=24, cols=100, **env):
    with Pty([TWINDEX, "decide", *args], env={**at.env, **env}, rows=rows, cols=cols, cwd=at.tree) as p:
        yield p


def marks(at):
    """The marks, by path from the tree."""
    out = subprocess.run([TWINDEX, "marks", "--json"], env=at.environment(), check=True, capture_output=True).stdout
    return {os.path.relpath(m["path"], at.tree): m["mark"] for m in json.loads(out)["marks"]}


def one_key_answers():
    with place() as at, decide(at) as p:
        p.expect("2 sets, .* in 2 groups")
        p.expect(WHERE)
        p.send("1")
        p.expect(r"kept 1 in one/, 1 marked drop\r\n  1 of 2 decided\r\n")
        p.expect(WHERE)
        # No such answer, Enter, a key of the arrows, what is pasted: nothing happens.
        p.send("z\r\x1b[A\x1b[200~1\r2\r\x1b[201~0")
        p.settle()
        assert p.line().endswith("q]"), p.line()
        p.send("s")
        p.expect(KEEP)
        p.send("2")
        p.expect("2 of 2 sets decided\r\n2 files marked drop")
        p.expect(r"now\? \[r rm, h link --hard, n later\] $")
        p.send("n")
        assert p.wait() == 0
        assert len(marks(at)) == 4, marks(at)


def enter_takes_what_is_proposed():
    with place() as at, decide(at, "--keep", "in:two,in:three") as p:
        p.expect(r"\[1-2, k by rule, ")
        p.send("s")
        p.expect(r"\r\n>  ?\d  .* three/z\r\n")
        p.expect(KEEP)
        # This one belongs to the key before it; the next one is an answer.
        p.send("\r")
        p.settle()
        assert p.line().endswith("q]"), p.line()
        assert not marks(at)
        p.send("\r")
        p.expect(WHERE)
        assert marks(at) == {"one/z": "drop", "three/z": "keep"}, marks(at)
        # Nothing is shown there that it could take.
        p.send("\r\r")
        p.settle()
        assert len(marks(at)) == 2
        p.send("k")
        p.expect("2 of 2 sets decided")
        assert marks(at)["one/x"] == "drop"


def it_acts_when_asked():
    with place() as at, decide(at) as p:
        p.expect(WHERE)
        p.send("2")
        p.expect(WHERE)
        p.send("q")
        p.expect(r"now\? .*\] $")
        p.send("r")
        p.expect(r"remove 1 file, .*No\] $")
        p.send("yes\r")
        p.expect("1 file removed")
        assert p.wait() == 0
        left = sum(os.path.exists(os.path.join(at.tree, f)) for f in ("one/x", "two/y", "one/z", "three/z"))
        assert left == 3, left


def in_the_shell():
    with place() as at, at.shell("shell") as p:
        p.send("decide\r")
        p.expect(WHERE)
        p.send("1")
        p.expect(WHERE)
        # Ctrl-C leaves decide, not the shell, and what is marked stays marked.
        p.send("\x03")
        p.expect(PROMPT)
        assert len(marks(at)) == 2, marks(at)
        says(p, "marks", "1 to drop")
        p.send("decide two\r")
        # A key that comes before its question is thrown away.
        p.expect(WHERE)
        p.send("q")
        p.expect(PROMPT)
        # The editor has its keys again.
        p.send("pwx\x7fd\r")
        p.expect("/tree\r\n")
        p.expect(PROMPT)
        p.send("decide\r")
        p.expect(WHERE)
        p.send("\x04")
        p.expect(PROMPT)
        leaves(p)


def dumb_terminals():
    for term in ("dumb", ""):
        with place() as at, decide(at, cols=40, TERM=term) as p:
            p.expect(r"keep where\? \[1-2 k a s l n u q \?\] $")
            # A line of such a terminal ends with Enter, which is no answer by itself.
            p.send("s\r")
            p.expect(r"keep\? \[1-2 k a v n u g q \?\] $")
            p.send("1\r")
            p.expect(r"keep where\? \[1-2 k a s l n u q \?\] $")
            p.send("q\r")
            p.expect(r"now\? .*\] $")
            p.send("n")
            assert p.wait() == 0
            assert b"\x1b" not in p.raw, p.raw
            assert all(len(line) <= 40 for line in p.lines())


def numbers_of_two_digits():
    with place() as at:
        at.many(12)
        with decide(at, "many", "two") as p:
            p.expect(WHERE)
            p.send("s")
            p.expect(r"(?s)set 1 of 1   14 copies.*keep\? \[1-14,.*\] $")
            # 1 waits for what follows; a digit that would be too much is none; Backspace takes it back.
            p.send("1\x7f1")
            p.settle()
            assert not marks(at), marks(at)
            p.send("9")
            p.settle()
            assert not marks(at), marks(at)
            p.send("3")
            p.expect("1 of 1 set decided\r\n12 files")
            p.expect(r"now\? .*\] $")
            p.send("n")
            assert p.wait() == 0


def hostile_names():
    with place() as at:
        name = "one/\x1b[31mred\n\r\u202e"
        at.write(name, "hostile")
        at.write("two/ok", "hostile")
        at.scan()
        with decide(at) as p:
            p.expect(WHERE)
            p.send("s")
            p.expect(KEEP)
            # What is typed ahead answers no question: the second key is lost.
            p.send("aq")
            p.expect(r"keep two/ok(?s:.*)" + KEEP)
            p.send("q")
            assert p.wait() == 0
            assert b"\x1b[31m" not in p.raw and "\u202e".encode() not in p.raw, p.raw


def stopped_and_continued():
    with place() as at, at.shell("shell") as p:
        # What ends decide gives the terminal back.
        p.send("decide\r")
        p.expect(WHERE)
        p.send("q")
        p.expect(PROMPT)
        says(p, "!stty -a", r"(?s)[^-]icanon.*[^-]echo")
        leaves(p)


run([one_key_answers, enter_takes_what_is_proposed, it_acts_when_asked, in_the_shell, dumb_terminals, numbers_of_two_digits,
     hostile_names, stopped_and_continued])
