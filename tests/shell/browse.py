# SPDX-License-Identifier: MIT
"""browse on terminals of three sizes, without EVERY_KIND=1 of the smallest: directories, marks, copies, hostile and wide names."""

import collections
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from place import PROMPT, TWINDEX, leaves, place  # noqa: E402
from ptydrive import Pty, run  # noqa: E402

UP, DOWN, RIGHT, LEFT, END = "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD", "\x1bOF"
SIZES = ((10, 40), (24, 80), (60, 200)) if os.environ.get("EVERY_KIND") else ((10, 40),)


class Browse(Pty):
    def shows(self, *texts):
        """Wait until all of the texts are on the screen."""
        self.until(lambda: all(any(text in line for line in self.lines()) for text in texts))

    def row(self, name):
        """The row of the list with a name at its end; empty while there is none."""
        return next((line for line in self.lines()[1:] if line.endswith(name)), "")

    def types(self, keys, *texts):
        self.send(keys)
        self.shows(*texts)


@contextlib.contextmanager
def browse(at, *args, rows=24, cols=80, **env):
    with Browse([TWINDEX, "browse", *args], env={**at.env, **env}, rows=rows, cols=cols, cwd=at.tree) as p:
        yield p


def without_curses():
    with place() as at, browse(at, TERM="dumb") as p:
        return p.wait() == 2 and "without ncurses" in p.stripped()


def marks(at):
    """The marks, by path from the tree."""
    out = subprocess.run([TWINDEX, "marks", "--json"], env=at.environment(), check=True, capture_output=True).stdout
    return {os.path.relpath(m["path"], at.tree): m["mark"] for m in json.loads(out)["marks"]}


def leave(p):
    p.send("q")
    assert p.wait() == 0
    # The last of what it wrote may be on its way still.
    p.until(lambda: "?1049" not in p.screen.modes)
    assert p.echoes()
    assert not p.screen.unknown, p.screen.unknown


def goes_in_and_out():
    for rows, cols in SIZES:
        with place() as at, browse(at, rows=rows, cols=cols) as p:
            p.shows("one/", "two/", "three/")
            # By name: one/ is first, its lines are x and z.
            p.send("n")
            p.until(lambda: p.lines()[-1] and p.row("one/"))
            p.types(RIGHT, "5 B", "4 B")
            p.until(lambda: p.row(" x") and p.row(" z"))
            # The copy of the file under the cursor, and where it is.
            p.types("", "two/y")
            p.types("c", "copy two/y")
            p.send("\r")
            p.until(lambda: p.row(" alone") and p.row(" y"))
            # Out of it the cursor stands at where we were.
            p.send(LEFT)
            p.until(lambda: p.row("two/") and p.row("one/"))
            p.send("\r")
            p.until(lambda: p.row(" alone"))
            leave(p)


def marks_and_takes_back():
    with place() as at, browse(at, "one", "--sort", "name") as p:
        p.shows("x: dup, 1 other copy")
        p.types("d", "marked drop: 1 file", "marked drop,")
        assert marks(at) == {"one/x": "drop"}
        p.until(lambda: p.row(" x").startswith("D"))
        # What is not proven to have a copy is not marked.
        p.types(LEFT, "three/")
        p.send("/two\r\r")
        p.until(lambda: p.row(" y"))
        p.types("d", "marked drop: 0 files; refused: 1", "unique")
        p.types(DOWN, "y: dup")
        p.types("d", "refused: 1")
        p.types("k", "marked keep: 1 file")
        assert marks(at) == {"one/x": "drop", "two/y": "keep"}
        p.types("uu", "taken back: 1 file")
        p.types("u", "there is nothing to undo")
        assert marks(at) == {}
        p.types("kx", "marks cleared: 1 file")
        leave(p)
        assert os.path.exists(os.path.join(at.tree, "one/x"))


def marks_in_place():
    with place() as at:
        at.many(3)
        # By marked bytes: what gets marks comes first, and the cursor stays at it.
        with browse(at, "--sort", "marked", rows=24, cols=100) as p:
            p.shows("one/")
            p.send("/two\r")
            p.types("\r", " y")
            p.send("/y\r")
            p.types("d", "marked drop: 1 file")
            p.until(lambda: p.lines()[2].startswith("D") and p.lines()[2].endswith(" y"))
            p.until(lambda: "4 B marked" in p.lines()[0])
            # Sums above follow, and those of a directory that is marked as a whole.
            p.types(LEFT, "many/")
            p.until(lambda: p.row("two/").startswith("d"))
            p.send("/many\r")
            p.types("d", "marked drop: 3 files")
            p.until(lambda: p.row("many/").startswith("d") and "12 B" in p.row("many/") and p.lines()[2].endswith("many/"))
            p.until(lambda: "16 B marked" in p.lines()[0])
            # An undo of what lies in another directory, and one of files of this one.
            p.types("\r", "000")
            p.until(lambda: all(p.row(" 00%d" % i).startswith("D") for i in range(3)))
            p.types("u", "taken back: 3 files")
            p.until(lambda: all(p.row(" 00%d" % i).startswith(" ") for i in range(3)) and "marked" not in p.lines()[0])
            p.types("u", "taken back: 1 file")
            # What another process marks meanwhile is seen with the next mark.
            subprocess.run([TWINDEX, "mark", "-q", "keep", "many/002"], cwd=at.tree, env=at.environment(), check=True)
            p.types("k", "marked keep: 1 file")
            p.until(lambda: p.row(" 000").startswith("K") and p.row(" 002").startswith("K") and p.row(" 001").startswith(" "))
            leave(p)


def leaves_when_marks_are_written():
    """What was asked for before the key that leaves is done, and what fails then is told."""
    with place() as at:
        at.many(300)
        with browse(at, "--sort", "name") as p:
            p.shows("many/")
            p.send("/many\rd/one\rk/two\rkq")
            leave(p)
        assert len(marks(at)) == 304, marks(at)
        with browse(at, "--sort", "name") as p:
            p.shows("many/")
            os.rename(at.env["TWINDEX_DB"], at.home + "/away")
            p.send("/many\rxq")
            # It is told on the screen, or, after that, as an error.
            assert p.wait() in (0, 5), p.status
            p.until(lambda: "no index at" in p.stripped())


def made_anew(at):
    """Whether the index was removed and made anew, which browse prevents in the moment in which it has the log open."""
    for name in "", "-wal", "-shm":
        if os.path.exists(at.env["TWINDEX_DB"] + name):
            os.unlink(at.env["TWINDEX_DB"] + name)
    return subprocess.run([TWINDEX, "scan", "-q", "--racy-window", "0s", at.tree], env=at.environment(), stderr=subprocess.DEVNULL).returncode == 0


def sees_what_others_do():
    """No key is needed for what another process marks, or for another index at the same path."""
    with place() as at, browse(at, "one", "--sort", "name") as p:
        p.shows("x: dup")
        subprocess.run([TWINDEX, "mark", "-q", "drop", "one/x"], cwd=at.tree, env=at.environment(), check=True)
        p.until(lambda: p.row(" x").startswith("D"))
        p.shows("marked drop,")
        at.write("one/y", "new")
        p.until(lambda: made_anew(at))
        p.until(lambda: p.row(" y") and p.row(" x").startswith(" "))
        p.types("d", "marked drop: 1 file", "marked drop,")
        assert marks(at) == {"one/x": "drop"}
        leave(p)


def no_copy_in_a_trash():
    """A trash will be emptied: what lies there is a copy of nothing, wherever copies are told."""
    with place() as at:
        at.write(".local/share/Trash/files/alone", "alone")
        at.write(".local/share/Trash/files/x", "same")
        at.scan()
        with browse(at, "two", "--sort", "name") as p:
            p.until(lambda: " 0%" in p.row(" alone") and "100%" in p.row(" y"))
            p.shows("alone: unique")
            p.types("d", "marked drop: 0 files; refused: 1")
            p.types(DOWN, "y: dup, 1 other copy")
            p.types(LEFT, "two/: 2 files, 4 B of them with another copy")
            p.types("c", "1 file below has copies elsewhere", "one/")
            assert not any("Trash" in line for line in p.lines())
            p.send("q")
            leave(p)
        # Nor is what lies in the trash redundant.
        with browse(at, ".local/share/Trash/files", "--sort", "name") as p:
            p.until(lambda: all(" 0 B " in p.row(name) and " 0%" in p.row(name) for name in (" alone", " x")))
            leave(p)


def where_directories_have_copies():
    for rows, cols in SIZES:
        with place() as at, browse(at, "--sort", "name", rows=rows, cols=cols) as p:
            p.shows("one/", "c shows where")
            p.types("c", "2 files below have copies elsewhere")
            # As far as the paths differ: from here.
            p.until(lambda: [line.split() for line in p.lines()[1:3]] == [["1", "file", "three/"], ["1", "file", "two/"]])
            p.types(DOWN + "\r", "alone")
            p.until(lambda: p.row(" y"))
            p.send(LEFT)
            p.until(lambda: p.row("three/"))
            p.shows("c shows where")
            p.types("c", "1 file below has copies elsewhere")
            p.types("q", "two/")
            leave(p)


def says_what_was_not_judged():
    for rows, cols in SIZES:
        with place() as at:
            at.scan("--exclude", "*.iso", at.tree)
            at.write("two/x.iso", "x")
            at.write("two/new", "x")
            with browse(at, "two", "--sort", "name", rows=rows, cols=cols) as p:
                p.shows("not judged: 1 excluded by a pattern" + ("..." if cols == 40 else ", 1 new"))
                # It comes back behind what is said of a mark; elsewhere there are other numbers.
                p.types("k", "marked keep: 1 file")
                p.types(DOWN, "not judged: 1 excluded")
                p.types(LEFT, "two/")
                p.shows("not judged: 1 excluded")
                p.types("/one\r\r", "as of the last scan")
                leave(p)


def hostile_and_wide_names():
    names = [b"new\nline", b"esc\x1b[31mred", b"bad\xff\xfe", "漢字の名前はとても長いです".encode() * 4, "e\u0301clair".encode(),
             b"bidi\xe2\x80\xaetxt", b"w" * 250]
    for rows, cols in SIZES:
        with place() as at:
            for name in names:
                at.write(b"odd/" + name, "same as others")
                at.write(b"odd" + name[:100] + b"/x", "same as others")
            at.scan()
            for locale in "C.UTF-8", "C":
                with browse(at, "odd", "--sort", "name", rows=rows, cols=cols, LC_ALL=locale) as p:
                    p.shows("bad\\xff")
                    for _ in names:
                        p.send(DOWN)
                        p.settle()
                        assert len(p.screen.lines()) == rows
                    p.types("c", "copy" if rows > 10 else "")
                    p.resize(12, 30)
                    p.settle()
                    p.resize(rows, cols)
                    p.settle()
                    assert b"\x1b[31mred" not in p.raw and b"\xff" not in p.raw and "\u202e".encode() not in p.raw
                    p.send("q")
                    leave(p)


def says_the_state_first():
    """Beside a long name and in few columns; the name is in the line above."""
    name = "n" * 100
    for rows, cols in SIZES:
        with place() as at:
            at.write("two/" + name, "unlike others")
            at.scan()
            # A file that is asked for is under the cursor.
            with browse(at, "two/" + name, rows=rows, cols=cols) as p:
                p.until(lambda: any(line.startswith(("unique, 2", name + ": unique, 2")) for line in p.lines()))
                p.types("/" + "y\r", "y: dup")
                leave(p)


def says_what_changed():
    with place() as at, browse(at, "one", "--sort", "name") as p:
        p.shows("x: dup")
        os.unlink(os.path.join(at.tree, "one/z"))
        p.types(DOWN, "z: gone")
        at.write("two/y", "other bytes")
        p.types(UP, "x: unknown: another copy has changed", "changed two/y")
        leave(p)


def signals():
    with place() as at, browse(at) as p:
        p.shows("one/")
        p.resize(12, 50)
        p.types("?", "mark drop")
        p.types("q", "one/")
        p.send("\x03")
        assert p.wait() == 128 + signal.SIGINT
        assert p.echoes()


def stops_and_goes_on():
    """Ctrl-Z gives the terminal back, and fg takes it again, whatever its size is then."""
    with place() as at, Browse(["sh", "-i"], env={**at.env, "PS1": "job$ ", "ENV": None}, rows=24, cols=80, cwd=at.tree) as p:
        p.expect(r"job\$ ")
        p.send(TWINDEX + " browse --sort name\r")
        p.shows("one/")
        for rows, cols in (24, 80), (10, 40), (60, 200):
            # The key, and the signal from elsewhere.
            if cols == 40:
                os.killpg(p.foreground(), signal.SIGTSTP)
            else:
                p.send("\x1a")
            p.expect("Stopped")
            p.until(lambda: p.echoes() and "?1049" not in p.screen.modes)
            p.resize(rows, cols)
            p.expect(r"job\$ ")
            p.send("fg\r")
            p.until(lambda: "?1049" in p.screen.modes and "last scan" in p.screen.lines()[-1] and len(p.screen.lines()[0]) == cols - 1)
            p.until(lambda: p.row("one/"))
            p.send(DOWN)
        p.send("q")
        p.until(lambda: "?1049" not in p.screen.modes and p.echoes())
        p.send("exit 3\r")
        assert p.wait() == 3


def ignores_no_stop():
    """A signal to stop that came while it is ignored, be it for a moment, would be lost."""
    trace = ["strace", "-qq", "-f", "-e", "trace=rt_sigaction"]
    if shutil.which("strace") is None or subprocess.run([*trace, "true"], capture_output=True, check=False).returncode != 0:
        return
    with place() as at:
        log = os.path.join(at.home, "trace")
        env = {**at.env, "ASAN_OPTIONS": "detect_leaks=0"}
        with Browse([*trace, "-o", log, TWINDEX, "browse"], env=env, rows=24, cols=80, cwd=at.tree) as p:
            p.shows("one/")
            p.send(DOWN + UP)
            leave(p)
        with open(log, encoding="utf-8") as f:
            stops = [line for line in f if "(SIGTSTP, {" in line]
        assert stops and not any("SIG_IGN" in line for line in stops), stops


def new_sizes_while_it_works():
    with place() as at:
        at.many(300)
        for rows, cols in SIZES:
            with browse(at, "--sort", "name") as p:
                p.shows("many/")
                p.send("/many\rd")
                p.resize(rows, cols)
                p.send("ud")
                p.resize(rows, cols + 7)
                p.until(lambda: "marked drop: 300 files" in p.screen.lines()[-1] and len(p.screen.lines()[-1]) == cols + 6)
                leave(p)


def gives_the_terminal_back():
    """Whatever asks it to end, also while it works."""
    with place() as at:
        at.many(300)
        for sig in signal.SIGTERM, signal.SIGHUP, signal.SIGINT:
            for keys in "", "/many\rdu":
                with browse(at, "--sort", "name") as p:
                    p.shows("many/")
                    p.send(keys)
                    p.kill(sig)
                    assert p.wait() == 128 + sig, p.status
                    p.until(lambda: "?1049" not in p.screen.modes)
                    assert p.echoes()


def leaves_slow_disks():
    """Nobody waits for the end of a look at files, which would take longer here than any test."""
    calls, fast = "?statx,?newfstatat,?fstatat64", 79
    slow = ["strace", "-f", "-e", "trace=" + calls, "-e", "inject=%s:delay_enter=1000000:when=%d+" % (calls, fast + 1)]
    if not shutil.which("strace") or subprocess.run([*slow, "true"], capture_output=True, check=False).returncode != 0:
        return
    with place() as at:
        at.many(600)
        slow += ["-o", os.path.join(at.home, "trace")]

        def begun():
            """Whether a thread has made all calls that are fast."""
            with open(slow[-1], encoding="utf-8") as f:
                made = collections.Counter(line.split()[0] for line in f)
            return max(made.values(), default=0) >= fast

        # LeakSanitizer cannot work under a tracer.
        with Browse([*slow, TWINDEX, "browse"], env={**at.env, "ASAN_OPTIONS": "detect_leaks=0"}, cwd=at.tree) as p:
            p.shows("many/")
            p.until(begun)
            leave(p)


def refuses_where_it_cannot():
    with place() as at:
        # Of a terminal that it does not know curses loses a block of its own.
        unknown = {"TERM": "nonsense", "ASAN_OPTIONS": "detect_leaks=0"}
        for how, text in ({"TERM": "dumb"}, "move its cursor"), (unknown, "TERM=nonsense"):
            with browse(at, **how) as p:
                assert p.wait() == 2
                assert text in p.stripped(), p.stripped()
        done = subprocess.run([TWINDEX, "browse"], cwd=at.tree, env=at.environment(), capture_output=True)
        assert done.returncode == 2 and b"needs a terminal" in done.stderr, done


def from_the_shell():
    with place() as at, at.shell("shell") as p:
        p.send("browse one --sort name\r")
        p.until(lambda: any("x: dup" in line for line in p.lines()))
        p.send("d")
        p.until(lambda: any("marked drop: 1 file" in line for line in p.lines()))
        p.send("q")
        p.expect(PROMPT)
        p.send("marks\r")
        p.expect("drop .*one/x")
        p.expect(PROMPT)
        # Ctrl-C leaves browse, not the shell.
        p.send("browse\r")
        p.until(lambda: any("three/" in line for line in p.lines()))
        p.send("\x03")
        p.expect(PROMPT)
        leaves(p)


if without_curses():
    print("built without ncurses")
    sys.exit(77)
run([goes_in_and_out, marks_and_takes_back, marks_in_place, leaves_when_marks_are_written, sees_what_others_do, no_copy_in_a_trash,
     where_directories_have_copies,
     says_what_was_not_judged, hostile_and_wide_names, says_the_state_first, says_what_changed, signals, stops_and_goes_on, ignores_no_stop,
     new_sizes_while_it_works, gives_the_terminal_back, leaves_slow_disks, refuses_where_it_cannot, from_the_shell])
