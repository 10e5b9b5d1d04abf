# SPDX-License-Identifier: MIT
"""A home with a small tree that is scanned, and the shell on a terminal in it."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptydrive import Pty  # noqa: E402

TWINDEX = os.environ["TWINDEX"]
PROMPT = r"twindex:[^\r\n]*> $"


class Place:
    """A home with a small tree that is scanned, and what the shell says of it."""

    def __init__(self):
        self.home = os.path.realpath(tempfile.mkdtemp(prefix="twindex-shell."))
        self.tree = os.path.join(self.home, "tree")
        self.env = {"HOME": self.home, "XDG_STATE_HOME": None, "XDG_CONFIG_HOME": None, "TWINDEX_DB": os.path.join(self.home, "db"),
                    "LC_ALL": "C.UTF-8", "PAGER": None, "TWINDEX_PAGER": "cat", "NO_COLOR": "1", "EDITRC": "/nonexistent"}
        for path, text in (("one/x", "same"), ("two/y", "same"), ("two/alone", "alone"), ("one/z", "third"), ("three/z", "third")):
            self.write(path, text)
        self.scan()

    def write(self, path, text):
        path = os.path.join(os.fsencode(self.tree), os.fsencode(path))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)

    def many(self, n):
        """Scanned files of one content in the directory many."""
        for i in range(n):
            self.write("many/%03d" % i, "same")
        self.scan()

    def environment(self):
        return {k: v for k, v in dict(os.environ, **self.env).items() if v is not None}

    def scan(self, *paths):
        subprocess.run([TWINDEX, "scan", "-q", "--racy-window", "0s", *(paths or [self.tree])], env=self.environment(), check=True)

    @contextlib.contextmanager
    def shell(self, *args, rows=24, cols=100, cwd=None, **env):
        with Pty([TWINDEX, *args], env={**self.env, **env}, rows=rows, cols=cols, cwd=cwd or self.tree) as p:
            p.expect(PROMPT)
            yield p


@contextlib.contextmanager
def place():
    p = Place()
    try:
        yield p
    finally:
        shutil.rmtree(p.home)


@contextlib.contextmanager
def session(**how):
    """A place, and a shell in it that is left at the end."""
    with place() as at, at.shell("shell", **how) as p:
        yield at, p
        leaves(p)


def says(p, line, want):
    """Type a line; its output is to match.  Then there is a prompt again."""
    p.send(line + "\r")
    found = p.expect(want)
    p.expect(PROMPT)
    return found


def leaves(p, status=0):
    p.send("\x04")
    assert p.wait() == status, p.status


def interrupts(p, says="interrupted"):
    """Ctrl-C; there is a prompt again behind that."""
    p.send("\x03")
    p.expect(says)
    p.expect(PROMPT)
