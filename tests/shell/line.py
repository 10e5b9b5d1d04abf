# SPDX-License-Identifier: MIT
"""src/shell/line.c on a terminal, by the program `lines`, which prints what it read."""

import atexit
import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptydrive import Pty, run  # noqa: E402

LINES = os.environ.get("LINES_PROGRAM", os.path.join(os.environ.get("builddir", "."), "tests/shell/lines"))
UTF8 = {"LC_ALL": "C.UTF-8"}
HOME = tempfile.mkdtemp(prefix="twindex-line.")
atexit.register(shutil.rmtree, HOME)


@contextlib.contextmanager
def lines(history=None, rows=24, cols=80, argv=None, ready="> ", **env):
    env = dict({"HOME": HOME, "LC_ALL": "C.UTF-8"}, **env)
    with Pty((argv or [LINES]) + ([history] if history else []), env=env, rows=rows, cols=cols) as p:
        p.expect(ready)
        # What is typed before that the terminal collects, 4095 bytes of it.
        p.until(lambda: "?2004" in p.screen.modes or env.get("TERM", "xterm") in ("dumb", ""))
        yield p


def ends(p):
    # Ctrl-D means something to the terminal itself until the next line is asked for.
    p.settle()
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


def absurd_sizes():
    """A terminal that says it has more cells than there is memory for: lines are read there without an editor."""
    with lines() as p:
        p.send("ab")
        p.settle()
        p.screen.resize = lambda rows, cols: None
        p.resize(65535, 65535)
        p.settle()
        p.send("c\r")
        p.expect("3 'abc'")
        p.send("plain\r")
        p.expect("5 'plain'")
        p.resize(24, 80)
        p.send("\r")
        reads(p, "edited!\x7f\r", "6 'edited'")
        ends(p)


def completes():
    with lines() as p:
        reads(p, "cd a\t\r", "11 'cd a[\\\\] name '")
        reads(p, "e\t\r", "6 'é€ '")
        reads(p, "cd axyz\x1b[D\x1b[D\t\r", "13 'cd a[\\\\] name yz'")
        reads(p, "cd a z\x1b[D\x1b[D\t.\r", "13 'cd a[\\\\] name .z'")
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
        reads(p, "\x1b[200~two\tthree \x01\x07\x1b[201~!\r", "13 'two\tthree \x01!'")
        assert "> two\u2409three ^A^G!" in p.lines(), p.show()
        reads(p, "\x1b[200~\x1b[201~\r", "0 ''")
        # No byte is lost: what looks like the end of the paste, and what is no character.
        p.send(b"ac\x1b[D\x1b[200~\x1b[20\xc3\xa9\xff\x1b\x1b[201~\r")
        p.until(lambda: b"10 'a\x1b[20\xc3\xa9\xff\x1bc'\r" in p.raw)
        p.expect("> ")
        p.send("\x1b[200~never ends")
        p.settle()
        p.kill(signal.SIGINT)
        p.expect("interrupted")
        p.expect("> ")
        ends(p)


def pasted_lines_stay_lines():
    with lines() as p:
        p.send("\x1b[200~one # comment\n\r\ntwo \\\r\n   three\rit's\n\x1b[201~")
        p.settle()
        # They wait, and are to be seen.
        assert p.lines() == ["> one # comment", "", "two \\", "   three", "it's"], p.show()
        assert p.screen.row == 5 and "bytes" not in p.stripped()
        p.send("last'\x1b[D\r")
        for want in ("13 'one # comment'", r"5 'two \\'", "8 '   three'", "4 'it's'", "5 'last''"):
            p.expect("\n%s\r" % want)
        p.expect("> ")
        assert p.lines()[-3:-1] == ["> last'", "5 'last''"], p.show()
        # None of them is left.
        reads(p, "alone\r", "5 'alone'")
        # A newline that was pasted into the middle.
        p.send("ab\x1b[D\x1b[200~\n\x1b[201~\r")
        p.expect("\n1 'a'\r")
        p.expect("\n1 'b'\r")
        # Ctrl-C drops all of them.
        p.send("\x1b[200~one\ntwo\x1b[201~")
        p.settle()
        p.send("\x03")
        p.expect("interrupted")
        p.expect("> ")
        reads(p, "\x1b[200~x\ny\x1b[201~\x15z\r", "1 'z'")
        reads(p, "\x1b[200~x\ny\x1b[201~\x1b[D\x08\r", "2 'xy'")
        # More rows than there are: they stay lines, and are seen in one row.
        p.send("\x1b[200~" + "".join("%d\n" % i for i in range(40)) + "\x1b[201~")
        p.settle()
        assert p.lines()[-2].startswith("> 0\u24241\u24242\u2424"), p.show()
        p.send("\r")
        for i in range(40):
            p.expect("\n%d '%d'\r" % (len(str(i)), i))
        ends(p)


def limit(rows, cols):
    """The cells that a line has room for behind "> "."""
    cols = cols if cols > 1 else 80
    return max(80, min(1000, rows * cols - cols - 2))


def pastes_long_lines():
    for rows, cols in ((24, 80), (5, 80), (10, 40), (2, 2), (1, 1), (60, 200)):
        with lines(rows=rows, cols=cols, ready="") as p:
            n = limit(rows, cols)
            p.send("\x1b[200~" + "x" * (n - 11) + "end of line\x1b[201~")
            p.settle()
            p.send("\x01\x05\r")
            if n > 200:
                p.until(lambda: b"%d bytes, ends in 'nd of line'" % n in p.raw)
            else:
                p.until(lambda: b"%d '" % n in p.raw and b"end of line'" in p.raw)
            p.settle()
            p.send("\x1b[200~" + "y" * (n + 1) + "\x1b[201~")
            p.until(lambda: b"the paste of %d bytes is refused: a line has at most %d cells" % (n + 1, n) in p.raw)
            p.settle()
            ends(p)


def stays_on_small_screens():
    """A line as long as there is room for, at the edges where it wraps: the end of it is drawn, its beginning, its end."""
    for rows, cols in ((10, 80), (5, 80), (3, 7), (2, 2), (1, 1)):
        with lines(rows=rows, cols=cols, ready="") as p:
            for less in (5, 4, 1, 0):
                n = limit(rows, cols) - 5
                p.send("x" * (n - less) + "\x01\x05")
                for keys in ("a", "b", "c", "\x01y", "\x05z", "\x7f"):
                    p.send(keys)
                    p.settle()
                p.send("\r")
                p.until(lambda: b"%d bytes, ends in 'xxxxxxxabc'" % (n - less + 4) in p.raw or b"%d 'yxx" % (n - less + 4) in p.raw)
            p.settle()
            ends(p)


def refuses_what_fills_the_screen():
    with lines(rows=6, cols=20) as p:
        p.send("x" * 97 + "yz")
        p.settle()
        # What has no room is not in the line, and what is there shows as it is.
        assert p.lines() == ["> " + "x" * 18] + ["x" * 20] * 3 + ["x" * 19 + "y"] and p.screen.bells == 1, p.show()
        p.send("\r")
        p.expect("the line is refused: it is longer than 98 cells")
        p.settle()
        assert "bytes, ends" not in p.stripped() and "xxy'" not in p.stripped()
        reads(p, "x" * 97 + "y\r", "98 'x*y'")
        # What was cut out is put back as a whole, or not at all.
        reads(p, "x" * 60 + "\x15\x19\r", "60 'x*'")
        p.send("x" * 60 + "\x15\x19\x19!")
        p.settle()
        assert p.lines()[-4:] == ["> " + "x" * 18] + ["x" * 20] * 2 + ["xx!"], p.show()
        p.send("\r")
        p.expect("the line is refused")
        ends(p)


def draws_wrapped_lines():
    with lines(rows=24, cols=20) as p:
        p.send("x" * 30)
        p.settle()
        p.send("\x01")
        p.settle()
        p.send("A")
        p.settle()
        assert p.lines() == ["> A" + "x" * 17, "x" * 13], p.show()
        assert (p.screen.row, p.screen.col) == (0, 3)
        p.send("\x05" + "y" * 7)
        p.settle()
        # Full to the last column: the cursor is in the next row.
        assert p.lines() == ["> A" + "x" * 17, "x" * 13 + "y" * 7] and (p.screen.row, p.screen.col) == (2, 0), p.show()
        p.send("\x1b[D\x7f\x7f")
        p.settle()
        assert p.lines() == ["> A" + "x" * 17, "x" * 13 + "y" * 5] and (p.screen.row, p.screen.col) == (1, 17), p.show()
        # Wide characters do not fit into one column.
        p.send("\x15" + "目" * 9 + "a目é\U0001f600")
        p.settle()
        assert p.lines() == ["> " + "目" * 9, "a目é\U0001f600"], p.show()
        p.send("\x01a")
        p.settle()
        assert p.lines() == ["> a" + "目" * 8, "目a目é\U0001f600"], p.show()
        p.send("\x05\x1b[D\x1b[D\x7f\x7f!")
        p.settle()
        assert p.lines() == ["> a" + "目" * 8, "目!é\U0001f600"], p.show()
        reads(p, "\r", "35 'a" + "目" * 9 + "!é\U0001f600'")
        # What combines with a letter has no column of its own: it is shown as its code.
        p.send("e\u0301")
        p.settle()
        assert p.line() == r"> e\U+00301", p.show()
        reads(p, "\r", "3 'e\u0301'")
        ends(p)


def begins_in_an_empty_row():
    with lines(argv=["sh", "-c", 'printf "no newline"; exec "$0"', LINES]) as p:
        p.settle()
        assert p.lines() == ["no newline", ">"], p.show()
        ends(p)
    with lines(argv=["sh", "-c", 'printf "a newline\n"; exec "$0"', LINES]) as p:
        p.settle()
        assert p.lines() == ["a newline", ">"], p.show()
        ends(p)
    with lines(argv=["sh", "-c", 'printf %80d 1; exec "$0"', LINES]) as p:
        p.settle()
        assert p.lines() == [" " * 79 + "1", ">"], p.show()
        ends(p)


def keeps_what_was_cut_out():
    with lines() as p:
        reads(p, "a\x19\tb\r", "1 'a'|2 'ab'|8 'a. name b'|9 'a. name b'")
        reads(p, "one two\x01\x0b\x19 \x19\r", "15 'one two one two'")
        reads(p, "one two\x15x\x19\r", "8 'xone two'")
        reads(p, "one/two three\x1b\x7f\x1b\x7f\x19\r", "8 'one/two '")
        reads(p, "one two\x1bb\x1bd\x01\x19\r", "7 'twoone '")
        reads(p, "日本語\x14\x01\x06\x14\r", "9 '日語本'|9 '語日本'")
        ends(p)


def gives_the_terminal_back_when_it_dies():
    for sig in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSYS, signal.SIGXCPU,
                signal.SIGALRM, signal.SIGUSR1, signal.SIGQUIT):
        with lines() as p:
            assert not p.echoes()
            p.send("half a line")
            p.until(lambda: p.line() == "> half a line")
            p.kill(sig)
            # A sanitizer reports and exits instead.
            assert p.wait() in (-sig, 1), (sig, p.status)
            p.settle()
            assert p.echoes(), sig
            assert "?2004" not in p.screen.modes, sig
    if b"__asan_init" in open(LINES, "rb").read():
        return
    with lines() as p:
        used = int(open("/proc/%d/statm" % p.pid).read().split()[0]) * resource.getpagesize()
        resource.prlimit(p.pid, resource.RLIMIT_AS, (used, used))
        paste = b"\x1b[200~" + b"x" * 80000
        while paste and p.read(0.001) and b"out of memory" not in p.raw:
            with contextlib.suppress(BlockingIOError):
                paste = paste[os.write(p.fd, paste[:512]):]
        p.expect("out of memory")
        assert p.wait() == 6 and p.echoes(), p.status


def leaves_ignored_signals_ignored():
    with lines(argv=["/bin/sh", "-c", "trap '' QUIT; exec '%s'" % LINES]) as p:
        p.send("half")
        p.until(lambda: p.line() == "> half")
        p.kill(signal.SIGQUIT)
        reads(p, " a line\r", "11 'half a line'")
        ends(p)


def refuses_lines_that_are_too_long():
    with lines() as p:
        p.send("x" * 5000 + "\r")
        p.expect("the line is refused: it is longer than 1000 cells")
        p.settle()
        assert "bytes, ends" not in p.stripped()
        reads(p, "\r", "0 ''")
        p.send("\x1b[200~rm -r *" + "y" * 66000 + "\x1b[201~")
        p.expect("the paste of 66007 bytes is refused: a line has at most 1000 cells")
        p.settle()
        assert p.line() == ">", p.show()
        # Nor is the end of a paste taken alone.
        p.send("\x1b[200~" + "y" * 65600 + "\x1b[201~")
        p.expect("the paste of 65600 bytes is refused: a line has at most 1000 cells")
        p.settle()
        assert p.line() == ">", p.show()
        # Nor are they run after a look at the history, whose own lines are as long as they were.
        reads(p, "known\r", "5 'known'")
        p.send("x" * 2000 + "\x1b[A\x15\x1b[B\r")
        p.expect("0 ''")
        p.settle()
        assert "bytes, ends" not in p.stripped()
        p.send("x" * 2000)
        reads(p, "\x1b[A\r", "5 'known'")
        # Nor with what an Alt-number repeats.
        reads(p, "\x1b1\x1b0\x1b0\x1b0\x1b0\x1b0\x1b0x\r", "1 'x'")
        ends(p)
    with lines(TERM="dumb") as p:
        p.send("x" * 5000 + "\n")
        # Its echo would come before a prompt that is not there yet.
        p.expect("the line is refused[^>]*> ")
        reads(p, "x" * 4094 + "\n", "4094 bytes, ends in 'x*'")
        p.send("\x04")
        p.expect("the end")


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


def keeps_changes_of_lines_that_are_left():
    path = os.path.join(HOME, "changed")
    with lines(history=path) as p:
        for text in ["first", "second"]:
            reads(p, text + "\r", "%d '%s'" % (len(text), text))
        # Up, a change, away and back: it is there; so is what was typed before.
        reads(p, "new\x1b[A!\x1b[A\x1b[B\r", "7 'second!'")
        reads(p, "new\x1b[A\x15\x1b[A?\x1b[B\x1b[B\r", "3 'new'")
        # With the line they are over: the history says what ran.
        reads(p, "\x1b[A\x1b[A\x1b[A\r", "6 'second'")
        # What was cut out of a line is not found in it, what was added is.
        reads(p, "\x1b[A\x1b[A\x15other\x1b[B\x1b[B\x12oth\r", "5 'other'")
        ends(p)


def passes_over_long_lines():
    path = os.path.join(HOME, "long")
    with open(path, "w") as f:
        f.write("short\n" + "a" * 4000 + "end of line\n" + "b" * 110 + "\n")
    with lines(history=path) as p:
        reads(p, "\x1b[A\r", "110 'b*'")
        reads(p, "\x1b[A\x1b[A\r", "5 'short'")
        reads(p, "\x12end\x07\r", "0 ''")
        ends(p)
    # Lines that the screen has no room for.
    with lines(history=path, rows=4, cols=30) as p:
        reads(p, "\x1b[A\x1b[A\r", "5 'short'")
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
                p.settle()
                assert len(p.line()) <= 40 and p.line().endswith(">"), p.show()
                p.send("ab\r")
                p.expect("2 'ab'")
                p.expect(">")
                ends(p)


def keeps_invalid_bytes():
    with lines() as p:
        p.send(b"a\xffb\xc3(c\xe2\x82")
        p.until(lambda: p.line() == r"> a\U+DCFFb\U+DCC3(c\U+DCE2\U+DC82")
        p.send("\x7f\r")
        p.until(lambda: b"7 'a\xffb\xc3(c\xe2'\r" in p.raw)
        p.settle()
        ends(p)


def hostile_characters_are_escaped():
    with lines() as p:
        p.send("a\u202eb\u200fc\u009bd\ufeff\x16\x01e\r")
        p.until(lambda: "'a\u202eb\u200fc\u009bd\ufeff\x01e'".encode() in p.raw)
        p.settle()
        assert r"> a\U+0202Eb\U+0200Fc\U+0009Bd\U+0FEFF^Ae" in p.lines(), p.show()


def locales_without_characters():
    # C.UTF-8 in place of ASCII.
    for locale in ("C", "POSIX", "xx_YY.UTF-8"):
        with lines(LC_ALL=locale) as p:
            reads(p, "a\u00e9b e\t目\r", "14 'aéb é€ 目'")
            assert "> aéb é€ 目" in p.lines(), p.show()
            ends(p)
    # Nor that: bytes, none of which is lost.
    with lines(BYTES="1") as p:
        p.send("rm 目 e\t")
        p.until(lambda: p.line() == r"> rm \U+DCE7\U+DC9B\U+DCAE \U+DCC3\U+DCA9\U+DCE2\U+DC82\U+DCAC")
        p.send("\x7f\r")
        p.expect("\n12 'rm 目 é€'\r")
        p.expect("> ")
        ends(p)


def quoted_paste():
    """Nor does a paste run whose first byte follows Ctrl-V."""
    with lines() as p:
        p.send("a\x16\x1b[200~b\nc\x1b[201~d")
        p.settle()
        assert p.lines() == ["> ab", "cd"], p.show()
        p.send("\r")
        p.expect("\n2 'ab'\r")
        p.expect("\n2 'cd'\r")
        reads(p, "ab\x16\x1b[Dc\r", "3 'acb'")
        ends(p)


def quoted_insert():
    with lines() as p:
        p.send("a\x16\x00b\x16\x1bc\r")
        p.until(lambda: b"5 'a\0b\x1bc'\r" in p.raw)
        p.settle()
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
    # One that the system does not know is taken for an xterm, without a word.
    with lines(TERM="no-such-terminal", cols=20) as p:
        assert p.lines() == [">"], p.show()
        p.send("wraps at the edge here\x01X\x05\x7f")
        p.settle()
        assert p.lines() == ["> Xwraps at the edge", " her"], p.show()
        reads(p, "\r", "22 'Xwraps at the edge her'")
        ends(p)


def plain_from_a_pipe():
    got = subprocess.run([LINES], input=b"one\n\nt\0w\xff\nlast", stdout=subprocess.PIPE, env=UTF8, timeout=20)
    assert got.stdout == b"3 'one'\n0 ''\n4 't\0w\xff'\n4 'last'\nthe end\n", got.stdout
    got = subprocess.run([LINES], input=b"x" * 1000000 + b"abcdefghij\n", stdout=subprocess.PIPE, env=UTF8, timeout=20)
    assert got.stdout == b"1000010 bytes, ends in 'abcdefghij'\nthe end\n", got.stdout


def editrc(text, **env):
    path = os.path.join(HOME, "editrc")
    with open(path, "w") as f:
        f.write(text)
    return lines(EDITRC=path, **env)


def vi_keys():
    with editrc("bind -v\n") as p:
        # Each ESC waits for what a terminal may send behind it.
        def command(keys):
            p.send("\x1b")
            time.sleep(0.15)
            p.send(keys)

        p.send("one two three")
        command("bdwx")
        command("0rO$a!\r")
        p.expect("\n8 'One two!'\r")
        p.expect("> ")
        # The cursor of an empty line, counts, and commands that other programs would be run by.
        for keys in ("$", "$~x", "9999999ix", "v:#@a_.", "/none\x07"):
            command(keys)
        p.settle()
        command("Sgood\r")
        p.expect("\n4 'good'\r")
        p.expect("> ")
        command("k\r")
        p.expect("\n4 'good'\r")
        p.expect("> ")
        # A paste where a character is asked for: the line that lacks it does not run.
        p.send("rm -r ")
        command("f\x1b[200~x\ny\x1b[201~")
        command("\r")
        p.expect("the line is refused")
        p.expect("> ")
        command("kkx\r")
        p.expect("\n7 'One two'\r")
        p.expect("> ")
        p.send("\x1b[200~a\nb\x1b[201~\r")
        p.expect("\n1 'a'\r")
        p.expect("\n1 'b'\r")
        p.expect("> ")
        ends(p)


def binds_keys():
    with editrc("# a comment\n\nbind ^T ed-move-to-beg\nother:bind ^T ed-kill-line\nbind \"\\e[A\" ed-move-to-beg\n"
                "twindex:bind ^[[5~ ed-prev-history\nbind ^X^E em-upper-case\nsettc li 1\nedit off\n"
                "bind ^O vi-histedit\nbind ^O em-universal-argument\nbind -s ^O rm\nbind ^G ed-command\nbind ^B \"unfinished\n") as p:
        reads(p, "bc\x14a\r", "3 'abc'")
        reads(p, "bc\x1b[Aa\r", "3 'abc'")
        reads(p, "\x1b[5~\r", "3 'abc'")
        reads(p, "abc\x01\x18\x05\r", "3 'ABC'")
        reads(p, "x\x0f1000000y\x07z\r", "10 'x1000000yz'")
        ends(p)
    with editrc("bind -v\nbind -a q ed-move-to-end\nbind -e\nbind ^T vi-undo\n") as p:
        reads(p, "ab\x14\x01c\r", "3 'cba'")
        ends(p)


run([f for name, f in list(globals().items()) if callable(f) and getattr(f, "__module__", "") == "__main__"
     and f.__code__.co_argcount == 0])
