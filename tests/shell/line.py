# SPDX-License-Identifier: MIT
"""src/ui/line.c on a terminal, by the program `lines`, which prints what it read."""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptydrive import Pty, run  # noqa: E402

LINES = os.environ.get("LINES_PROGRAM", os.path.join(os.environ.get("builddir", "."), "tests/shell/lines"))
UTF8 = {"LC_ALL": "C.UTF-8"}
HOME = tempfile.mkdtemp(prefix="twindex-line.")
atexit.register(shutil.rmtree, HOME)


@contextlib.contextmanager
def lines(history=None, rows=24, cols=80, argv=None, ready="> ", **env):
    env = dict({"HOME": HOME, "EDITRC": os.path.join(HOME, "editrc"), "LC_ALL": "C.UTF-8"}, **env)
    with Pty((argv or [LINES]) + ([history] if history else []), env=env, rows=rows, cols=cols) as p:
        p.expect(ready)
        yield p


def ends(p):
    p.send("\x04")
    p.expect("the end")
    assert p.wait() == 0
    assert not p.screen.unknown, p.screen.unknown


def reads(p, keys, want):
    p.send(keys)
    p.expect("\n%s\r" % want)
    p.expect("> ")


def edits():
    with lines() as p:
        reads(p, "hello world\r", "11 'hello world'")
        reads(p, "wrld\x1b[D\x1b[D\x1b[Do\r", "5 'world'")
        reads(p, "abc\x1b[H\x1b[3~\r", "2 'bc'")
        reads(p, "two words\x1b[1;5D\x1b[1;5Dx\x1b[Fy\r", "11 'xtwo wordsy'")
        reads(p, "one two\x17three\r", "9 'one three'")
        reads(p, "é€𝄞\x7f日本\r", "11 'é€日本'")
        reads(p, "\r", "0 ''")
        ends(p)


def ctrl_d_deletes():
    with lines() as p:
        reads(p, "abc\x01\x04\r", "2 'bc'")
        p.send("abc\x04")
        p.settle()
        assert p.line() == "> abc", p.line()
        reads(p, "\r", "3 'abc'")
        ends(p)


def ctrl_c_drops_the_line():
    with lines() as p:
        for _ in range(5):
            p.send("half a li")
            p.until(lambda: p.line() == "> half a li")
            p.send("\x03")
            p.expect(r"\^C\r*\n\r*interrupted\r*\n")
            p.expect("> ")
        p.send("\x12search")
        p.settle()
        p.send("\x03")
        p.expect("interrupted")
        p.expect("> ")
        reads(p, "good\r", "4 'good'")
        ends(p)


def ctrl_c_again_and_again():
    with lines() as p:
        for _ in range(300):
            p.send("\x03")
        p.settle()
        p.send("\x15still there\r")
        p.expect("11 'still there'")
        p.expect("> ")
        ends(p)


def hung_up():
    with lines() as p:
        p.send("abc")
        p.settle()
        os.close(p.fd)
        p.fd = -1
        assert p.wait() in (0, -signal.SIGPIPE, -signal.SIGHUP)


def terminated():
    with lines() as p:
        p.send("abc")
        p.settle()
        p.kill(signal.SIGTERM)
        p.expect("interrupted by SIGTERM")
        assert p.wait() == 0
        assert p.echoes()


def tty_is_given_back():
    with lines(argv=["sh", "-c", '"$0" "$@"; printf "ready "; read x; echo "<$x>"', LINES]) as p:
        assert not p.echoes()
        p.send("\x04")
        p.expect("ready ")
        assert p.echoes()
        assert "?2004" not in p.screen.modes
        p.send("bye\n")
        p.expect("<bye>")


def stops_and_goes_on():
    with lines(argv=["bash", "-ic", 'PS1= ; "$0"; fg; echo over', LINES]) as p:
        p.send("before")
        p.until(lambda: p.line().endswith("> before"))
        p.send("\x1a")
        p.expect("Stopped")
        p.until(lambda: p.line().endswith("> before"))
        reads(p, " after\r", "12 'before after'")
        ends_in_shell = "the end"
        p.send("\x04")
        p.expect(ends_in_shell)
        p.expect("over")


def resizes():
    with lines() as p:
        p.send("x" * 70)
        p.until(lambda: p.line() == "> " + "x" * 70)
        p.resize(10, 40)
        p.settle()
        p.send("yz")
        p.settle()
        assert p.line().endswith("yz"), p.show()
        reads(p, "\r", "72 '%syz'" % ("x" * 70))
        p.send("size\r")
        p.expect("40 x 10")
        p.expect("> ")
        p.resize(2, 2)
        p.settle()
        p.send("abcdefgh\r")
        p.expect("abcdefgh'")
        p.resize(24, 80)
        p.settle()
        ends(p)


def completes():
    with lines() as p:
        reads(p, "cd a\t\r", "11 'cd a[\\\\] name '")
        reads(p, "e\t\r", "6 'é€ '")
        reads(p, "cd axyz\x1b[D\x1b[D\t\r", "13 'cd a[\\\\] name yz'")
        p.send("none\t")
        p.settle()
        assert p.line() == "> none" and p.screen.bells > 0
        p.send("\x15b\t")
        p.until(lambda: p.line() == "> ban")
        p.send("\t")
        p.until(lambda: p.lines()[-2:] == ["banana  bandana  bank", "> ban"])
        p.send("\x01\x06\t\x05d")
        p.settle()
        assert p.line() == "> banand", p.show()
        reads(p, "\r", "6 'banand'")
        ends(p)


def completes_long_lines():
    with lines(rows=10, cols=40) as p:
        p.send("x" * 60 + " b\t")
        p.settle()
        p.send("\t")
        p.settle()
        assert p.lines()[-3:] == ["banana  bandana  bank", "> " + "x" * 38, "x" * 22 + " ban"], p.show()
        # The cursor is in the first of three rows.
        p.send("y" * 50 + "\x01")
        p.send("b \x02\t")
        p.settle()
        p.send("\t")
        p.settle()
        shown = p.lines()
        assert shown[-4] == "banana  bandana  bank" and shown[-3].startswith("> ban x"), p.show()
        assert sum("y" * 10 in line for line in shown) >= 2, p.show()
        reads(p, "\r", "[0-9]+ 'ban x*.*'")
        ends(p)


def lists_harmlessly():
    with lines(rows=60) as p:
        p.send("m\t")
        p.expect("\\.\\.\\. and more")
        p.until(lambda: p.line() == "> m")
        assert r"many\x1b[2J" in p.lines()[-3], p.show()
        reads(p, "\r", "1 'm'")
        ends(p)


def pastes():
    with lines() as p:
        assert "?2004" in p.screen.modes
        reads(p, "\x1b[200~one\ntwo\tthree\r\nfour\x1b[1;5C\x00\x07\x1b[201~!\r", r"24 'one two three four\[1;5C!'")
        reads(p, "\x1b[200~cd x\n\x1b[201~ y\r", "6 'cd x y'")
        reads(p, "\x1b[200~\x1b[201~\r", "0 ''")
        reads(p, "ac\x1b[D\x1b[200~\x1b[20é\x1b\x1b[201~\r", r"7 'a\[20éc'")
        p.send("\x1b[200~never ends")
        p.settle()
        p.kill(signal.SIGINT)
        p.expect("interrupted")
        p.expect("> ")
        ends(p)


def pastes_with_vi_keys():
    with open(os.path.join(HOME, "editrc"), "w") as f:
        f.write("bind -v\n")
    try:
        with lines() as p:
            reads(p, "hello\x1b0ix\r", "6 'xhello'")
            reads(p, "cd a\t\r", "11 'cd a[\\\\] name '")
            reads(p, "abc\x1bhx\r", "2 'ac'")
            assert "?2004" not in p.screen.modes
            ends(p)
    finally:
        os.unlink(os.path.join(HOME, "editrc"))


def obeys_editrc():
    with open(os.path.join(HOME, "editrc"), "w") as f:
        f.write("twindex:bind ^G ed-move-to-beg\nother:bind ^X ed-move-to-beg\n")
    try:
        with lines() as p:
            reads(p, "bc\x07a\r", "3 'abc'")
            ends(p)
    finally:
        os.unlink(os.path.join(HOME, "editrc"))


def remembers():
    path = os.path.join(HOME, "new/dir/history")
    with lines(history=path) as p:
        for text in ["first", "second", "first", " hidden", "", "third"]:
            reads(p, text + "\r", "%d '%s'" % (len(text), text))
        reads(p, "\x1b[A\x1b[A\r", "5 'first'")
        reads(p, "\x1b[A\x1b[A\x1b[A\r", "6 'second'")
        ends(p)
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700
    with lines(history=path) as p:
        reads(p, "\x1b[A\x1b[A\x1b[A\r", "5 'third'")
        reads(p, "\x12fir\r", "5 'first'")
        reads(p, "\x12sec\x05\x1b\x05!\r", "7 'second!'")
        ends(p)


def remembers_long_lines():
    path = os.path.join(HOME, "long")
    with open(path, "w") as f:
        f.write("a" * 4000 + "end of line\n")
    with lines(history=path) as p:
        reads(p, "\x1b[A\r", "4011 bytes, ends in 'nd of line'")
        ends(p)


def tells_once_of_a_bad_history():
    os.symlink("/nowhere", os.path.join(HOME, "link"))
    for path in (os.path.join(HOME, "link"), HOME, "/dev/full", "/proc/none/history"):
        with lines(history=path) as p:
            reads(p, "one\r", "3 'one'(\r*\ntwindex: [^\n]*)?")
            reads(p, "two\r", "3 'two'")
            reads(p, "\x1b[A\x1b[A\r", "3 'one'")
            ends(p)
            assert p.raw.count(b"not remembered") == 1, p.raw


def hostile_prompts():
    for locale in ("C", "C.UTF-8"):
        for prompt in ("bad\xff> ".encode("latin-1"), "é> ".encode(), b"\x1b[2J\n> ", b"x" * 500 + b"> ", "日本".encode() * 50 + b"> "):
            with lines(PROMPT=os.fsdecode(prompt), LC_ALL=locale, ready=">") as p:
                p.settle(0.05)
                assert len(p.line()) <= 40 and p.line().endswith(">"), p.show()
                p.send("ab\r")
                p.expect("2 'ab'")
                p.expect(">")
                ends(p)


def keeps_invalid_bytes_out():
    with lines() as p:
        reads(p, b"a\xffb\xc3(c\r", "4 'ab\\(c'|5 'ab.*\\(c'")
        ends(p)


def ascii_locale():
    with lines(LC_ALL="C") as p:
        p.send("a\u00e9b e\t")
        p.settle()
        assert p.screen.bells > 0
        p.send("\r")
        p.expect("'a.*b e'")
        p.expect("> ")
        ends(p)


def quoted_insert():
    with lines() as p:
        p.send("a\x16\x00b\x16\x1bc\r")
        p.expect("'a")
        p.expect("> ")
        ends(p)


def plain_on_dumb_terminals():
    for term in ("dumb", ""):
        with lines(TERM=term) as p:
            reads(p, "hello\n", "5 'hello'")
            p.send("dropped\x03")
            p.expect("interrupted")
            p.expect("> ")
            reads(p, "\n", "0 ''")
            p.send("\x04")
            p.expect("the end")
            assert b"\x1b" not in p.raw and b"terminal" not in p.raw
            assert p.wait() == 0
    with lines(TERM="no-such-terminal") as p:
        reads(p, "hello\r", "5 'hello'")
        ends(p)


def plain_from_a_pipe():
    got = subprocess.run([LINES], input=b"one\n\nt\0w\xff\nlast", stdout=subprocess.PIPE, env=UTF8, timeout=20)
    assert got.stdout == b"3 'one'\n0 ''\n4 't'\n4 'last'\nthe end\n", got.stdout
    got = subprocess.run([LINES], input=b"x" * 1000000 + b"abcdefghij\n", stdout=subprocess.PIPE, env=UTF8, timeout=20)
    assert got.stdout == b"1000010 bytes, ends in 'abcdefghij'\nthe end\n", got.stdout


def huge_lines():
    with lines() as p:
        p.send("\x1b[200~" + "x" * 60000 + "end of line\x1b[201~")
        p.send("\r")
        p.expect("60011 bytes, ends in 'nd of line'", timeout=60)
        p.expect("> ")
        p.send("\x1b[200~" + "y" * 1000000 + "\x1b[201~\r")
        p.expect("65536 bytes", timeout=60)
        p.expect("> ")
        ends(p)


def huge_typed():
    with lines() as p:
        for _ in range(10):
            p.send("z" * 2000)
        p.send("\r")
        p.expect("20000 bytes", timeout=60)
        p.expect("> ")
        ends(p)


run([f for name, f in list(globals().items()) if callable(f) and getattr(f, "__module__", "") == "__main__"
     and f.__code__.co_argcount == 0])
