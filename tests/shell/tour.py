# SPDX-License-Identifier: MIT
"""The tour's examples, line by line as they stand there: what is typed, and all that a terminal shows then."""

import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptydrive import Pty  # noqa: E402

TWINDEX = os.environ["TWINDEX"]
# As wide as the text, and as this home's name is longer than /tmp.
COLUMNS = 100
# The tour takes place a minute after its files were written: none of them is racy.
# The program's hints name the path that it was called by, if it was.
WRAPPER = """#!/bin/sh
PATH="%s:$PATH"
case $1 in
scan) shift; exec twindex scan --racy-window 0s "$@" ;;
esac
exec twindex "$@"
""" % os.path.dirname(TWINDEX)


def examples(path):
    """The commands of a text, each with the lines that follow it: (["mkdir x"], []), ..."""
    found, open_ = [], False
    with open(path, encoding="utf-8") as f:
        for line in f.read().split("\n"):
            if line.startswith("    $ "):
                found.append(([line[6:]], []))
                open_ = True
            elif open_ and line.startswith("    ") and not found[-1][1] and found[-1][0][-1].endswith("\\"):
                found[-1][0].append(line[4:])
            elif open_ and line.startswith("    ") or line == "":
                found[-1:] and found[-1][1].append(line[4:])
            else:
                open_ = False
    for _, lines in found:
        while lines and lines[-1] == "":
            lines.pop()
    return found


class Tour:
    """A directory that stands for /tmp, as the home of somebody who has just installed twindex."""

    def __init__(self):
        self.home = os.path.realpath(tempfile.mkdtemp(prefix="tour."))
        tools = os.path.join(self.home, "bin")
        os.mkdir(tools)
        with open(os.open(os.path.join(tools, "twindex"), os.O_WRONLY | os.O_CREAT, 0o755), "w") as f:
            f.write(WRAPPER)
        self.env = {"HOME": self.home, "PATH": tools + ":" + os.environ["PATH"], "TWINDEX_DB": None, "XDG_STATE_HOME": None,
                    "XDG_CONFIG_HOME": None, "LC_ALL": "C.UTF-8", "PAGER": None, "TWINDEX_PAGER": "cat", "NO_COLOR": "1",
                    "COLUMNS": None, "EDITRC": "/nonexistent"}

    def lines(self, p):
        return [line.replace(self.home, "/tmp") for line in p.lines()]

    def type(self, command, want=()):
        """Have a shell do it, and answer as is wanted.  Returns what is on the screen then."""
        with Pty(["sh", "-c", command], env=self.env, rows=60, cols=COLUMNS, cwd=self.home) as p:
            for line in want:
                answer = re.match(r"(.*(?:\[y/N\]|, No\]|, q\])) (.*)$", line)
                if answer:
                    p.until(lambda: p.line().rstrip() == answer[1])
                    p.send(answer[2] + "\r")
            p.wait()
            p.settle()
            return self.lines(p)

    def session(self, lines):
        """Type what stands behind each prompt into the interactive shell.  Returns what is on the screen then."""
        with Pty(["twindex"], env=self.env, rows=60, cols=COLUMNS, cwd=os.path.join(self.home, "tour")) as p:
            for line in lines:
                typed = re.match(r"(twindex:[^>]*> )(.*)$", line)
                if typed:
                    p.until(lambda: p.line() == typed[1].rstrip())
                    p.send(typed[2] + "\r")
                    p.expect(re.escape(typed[2]))
            p.until(lambda: re.match(r"twindex:[^>]*>$", p.line()))
            return self.lines(p)[:-1]

    def close(self):
        shutil.rmtree(self.home)


def compare(command, want, got):
    # A slow machine may need a tenth of a second for what took none, and its disk is another one.
    want, got = [[re.sub(r"^(time|online)  .*", r"\1", line) for line in lines] for lines in (want, got)]
    if want == got:
        return 0
    print("$ %s\nit says:\n%s\na terminal shows:\n%s\n" % ("\n".join(command), "\n".join(want), "\n".join(got)))
    return 1


def main(path):
    failed = 0
    steps = examples(path)
    assert len(steps) > 15, "where are the examples?"
    scans = [i for i, (command, _) in enumerate(steps) if command[0].startswith("twindex scan")]
    ready = ["\n".join(command) for command, _ in steps[:scans[0] + 1]]
    tour = Tour()
    try:
        for command, want in steps:
            if command == ["twindex"]:
                # As it was before anything was removed.
                other = Tour()
                try:
                    for line in ready:
                        other.type(line)
                    failed += compare(command, want, other.session(want))
                finally:
                    other.close()
                continue
            failed += compare(command, want, tour.type("\n".join(command), want))
    finally:
        tour.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
