# SPDX-License-Identifier: MIT
"""The interactive shell, on a terminal."""

import os
import re
import shutil
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from place import PROMPT, TWINDEX, interrupts, leaves, place, says, session  # noqa: E402
from ptydrive import Pty, run  # noqa: E402

SLOW = "sql 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'\r"
NAMES = [b"a b", b"it's", b'"quoted"', b"$HOME", b"new\nline", b"zbad\xff", "sch\u00f6n".encode(), b"back\\slash", b"usemi;colon|pipe>x",
         b"-dash", b"#hash", b"tab\there", b"esc\x1b[31m"]


def starts_alone():
    with place() as at, at.shell() as p:
        assert p.line() == "twindex:~/tree>", p.line()
        says(p, "pwd", re.escape(at.tree) + "\r\n")
        leaves(p)


def starts_at_the_root():
    with session(cwd="/") as (at, p):
        # The index knows what is above its roots.
        assert p.line() == "twindex:/>", p.line()
        says(p, "cd ~/tree/one; pwd", "/tree/one\r\n")
    with place() as at:
        os.mkdir(os.path.join(at.home, "elsewhere"))
        with at.shell("shell", cwd=os.path.join(at.home, "elsewhere")) as p:
            assert p.line() == "twindex:~/tree>", p.line()
            leaves(p)


def moves():
    with session() as (at, p):
        says(p, "cd one", "")
        assert p.line() == "twindex:~/tree/one>", p.line()
        says(p, "cd ../two", "")
        says(p, "cd -", "/tree/one\r\n")
        says(p, "cd nowhere", "'/[^']*/tree/one/nowhere' is not in the index")
        says(p, "cd x", "is a file")
        says(p, "cd", "is not in the index|~>|")


def offline():
    with session() as (at, p):
        shutil.rmtree(os.path.join(at.tree, "one"))
        says(p, "cd one", "")
        assert p.line() == "twindex:~/tree/one (offline)>", p.line()
        says(p, "ls -l", "gone")


def completes_hostile_names():
    with place() as at:
        for name in NAMES:
            at.write(b"odd/" + name + b"/file", "x")
        at.scan()
        with at.shell("shell", cols=160) as p:
            for name in NAMES:
                first = name[:1].decode("ascii", "replace")
                for quote in ("", "'", '"'):
                    if first == quote:
                        continue
                    begin = first
                    if first in ("\"'$#" if quote == "" else '"$' if quote == '"' else ""):
                        begin = "\\" + first
                    p.send("cd " + quote + "odd/" + begin + "\t")
                    p.settle()
                    # What is inserted may end in a slash and an open quote.
                    line = p.line()
                    closing = "'" if re.search(r"cd (\$?')", line) else '"' if 'cd "' in line else ""
                    p.send(closing + "\r")
                    p.expect(PROMPT)
                    p.send("pwd | od -An -tx1 | tr -d ' \\n'\r")
                    # In a pipe names are as they are.
                    found = p.expect(r"\n([0-9a-f]{20,})")
                    p.expect(PROMPT)
                    got = bytes.fromhex(found[1])
                    assert got == os.fsencode(at.tree) + b"/odd/" + name + b"\n", (name, quote, got, line)
                    says(p, "cd ~/tree", "")
            leaves(p)


def asks_before_a_screenful():
    with place() as at:
        for i in range(300):
            at.write("many/x%03d" % i, "")
        at.scan()
        with at.shell("shell", cols=40) as p:
            p.send("ls many/\t")
            p.settle()
            assert p.line().endswith("> ls many/x"), p.show()
            p.send("\t")
            p.expect(r"display all 300\? \(y/n\)")
            p.send("n")
            p.settle()
            assert p.line().endswith("> ls many/x"), p.show()
            p.send("\t")
            p.expect("display all 300")
            p.send("y")
            p.expect("x299")
            p.send("\t")
            p.expect("display all 300")
            # Another key is no, and itself.
            p.send("000\r")
            p.expect("many/x000")
            p.expect(PROMPT)
            leaves(p)


def ctrl_c_drops_a_line():
    with session() as (at, p):
        p.send("scan /nowhere")
        p.settle()
        interrupts(p, r"\^C")
        assert p.line() == "twindex:~/tree>", p.line()
        says(p, "pwd", "/tree\r\n")


def asks(p):
    """A question without an end is being answered."""
    p.send(SLOW)
    p.until(p.echoes)
    p.read(0.1)


def ctrl_c_stops_a_query():
    with session() as (at, p):
        for _ in range(3):
            asks(p)
            interrupts(p)
        asks(p)
        p.send("\x03\x03\x03")
        p.expect(PROMPT)
        says(p, "pwd", "/tree\r\n")


def breaks_messages():
    """What the shell says by itself is broken between words; so are messages that are held back while output is shown."""
    with session(cols=40) as (at, p):
        assert p.lines()[0].endswith(": 'help' shows the") and p.lines()[2] == "  leaves", p.lines()
        says(p, "help", r"  report     show the sets of\r\n             duplicates, largest waste\r\n             first\r\n")
        says(p, "help | head -n 3", r"  report     show the sets of duplicates, largest waste first\r\n")
        says(p, "file nothing", r"twindex:\r\n  '[^']*/nothing'\r\n  does not exist\r\n")


def aligns_queries():
    """Columns on a terminal: numbers on the right, NULL as no text can be, texts cut to the width; a pipe is given tabs."""
    with session(cols=40) as (at, p):
        at.write("two/%s" % ("long" * 20), "12345678901")
        at.write("two/back\\N", "2")
        at.scan()
        says(p, "sql select name, size, null from file_view where size in (2, 11, 1) order by size",
             r"\r\nname +size  null\r\nback\\\\N +1  \\N\r\n\.\.\.(long)+ +11  \\N\r\n")
        says(p, "sql 'select name, null from file_view where size = 1' | cat", "\r\nname\tnull\r\nback\\\\N\t\r\n")
        says(p, "sql with r(n) as (select 1 union all select n + 1 from r where n < 1003) select n, 'x' from r",
             r"\r\n +n  'x'\r\n +1  x\r\n[\s\S]*\r\n1000  x\r\n[\s\S]*\r\n1003  x\r\n")


def pages():
    with place() as at:
        at.many(200)
        with at.shell("shell", TWINDEX_PAGER="sed -e 's/^/PAGED /'") as p:
            says(p, "dups many", r"PAGED .*many/199")
            # What fits on the screen needs no pager.
            p.send("dups one\r")
            p.expect(PROMPT)
            assert "PAGED" not in p.lines()[-2], p.show()
            says(p, "set pager off", "")
            says(p, "dups many", r"\n[^P]*many/199")
            leaves(p)
        # It is told that the terminal has UTF-8, unless it knows what that has.
        for charset, said in ((None, "utf-8"), ("latin1", "latin1")):
            with at.shell("shell", TWINDEX_PAGER='sed -e "s/^/$LESSCHARSET /"', LESSCHARSET=charset) as p:
                says(p, "dups many", said + r" .*many/199")
                leaves(p)
        # Who leaves the pager early has seen enough: that is no failure.
        with at.shell("shell", TWINDEX_PAGER="head -n 2") as p:
            says(p, "dups many", "many/001")
            says(p, "pwd", "/tree\r\n")
            leaves(p)


def ctrl_c_in_the_pager():
    if shutil.which("less") is None:
        return
    with place() as at:
        at.many(200)
        with at.shell("shell", TWINDEX_PAGER="less -R") as p:
            p.send("dups many\r")
            p.expect("many/010")
            p.send("\x03\x03")
            # What is typed before less has dealt with an interrupt it throws away, and a slow machine may take its time.
            for _ in range(20):
                p.settle()
                p.send("q")
                try:
                    p.expect(PROMPT, timeout=1)
                    break
                except AssertionError:
                    pass
            # A q too many stands in the line.
            p.settle()
            says(p, "\x15pwd", "/tree\r\n")
            leaves(p)


def resizes():
    with session(cols=100) as (at, p):
        p.send("pwd and a long line that is typed before the window becomes narrow")
        p.settle()
        p.resize(24, 40)
        p.kill(signal.SIGWINCH)
        p.settle()
        interrupts(p, "")
        says(p, "pwd", "/tree\r\n")


def pastes():
    with session() as (at, p):
        p.send("\x1b[200~cd one # not: pwd\n!echo ran $((6*7))\npwd\n\x1b[201~")
        p.settle()
        # They wait for Enter, and then run one after the other, each behind its prompt.
        assert p.lines()[-3:] == ["twindex:~/tree> cd one # not: pwd", "!echo ran $((6*7))", "pwd"], p.show()
        p.send("\r")
        p.until(lambda: p.line() == "twindex:~/tree/one>" and "/tree/one" in p.lines()[-2])
        assert p.lines()[-5:] == ["twindex:~/tree/one> !echo ran $((6*7))", "ran 42",
                                  "twindex:~/tree/one> pwd", at.tree + "/one", "twindex:~/tree/one>"], p.show()
        # After a failure the others do not run: they may have relied on it.
        p.send("\x1b[200~# nothing\ncd nowhere\n!echo wrong $((6*7))\npwd\n\x1b[201~\r")
        p.expect("is not in the index")
        p.expect("2 pasted lines were not run")
        p.expect(PROMPT)
        p.send("\x1b[200~!sleep 30\n!echo wrong $((6*7))\x1b[201~\r")
        p.until(p.echoes)
        p.settle()
        interrupts(p, "1 pasted line was not run")
        # Ctrl-C left the cursor behind ^C.
        assert p.line() == "twindex:~/tree/one>", p.show()
        p.send("\x1b[200~pwd\nreport\x1b[201~")
        p.settle()
        interrupts(p, "")
        assert "wrong 42" not in p.raw.decode(), p.show()


def begins_in_an_empty_row():
    with session() as (at, p):
        p.send("!printf unfinished\r")
        p.until(lambda: p.lines()[-2:] == ["unfinished", "twindex:~/tree>"])
        p.send("!sleep 30\r")
        p.until(p.echoes)
        p.settle()
        p.send("\x03")
        p.until(lambda: p.lines()[-2:] == ["^C", "twindex:~/tree>"])


def bytes_of_names_stay():
    """Under a locale without characters a name is neither shortened nor changed."""
    with place() as at:
        at.write("odd/目録/file", "x")
        at.write("odd/" + os.fsdecode(b"bad\xff") + "/file", "x")
        at.scan()
        for locale in ("C", "C.UTF-8"):
            with at.shell("shell", LC_ALL=locale) as p:
                says(p, "cd odd/目録", "")
                says(p, "pwd", "/odd/(目録|[?]{6})\r\n")
                assert p.line() in ("twindex:~/tree/odd/目録>",), p.show()
                p.send(b"cd ../bad\xff\r")
                p.expect(PROMPT)
                assert p.line() == r"twindex:~/tree/odd/bad\xff>", p.show()
                says(p, "cd nowhere/目録", "nowhere/目録' is not in the index")
                leaves(p)


def remembers():
    with place() as at:
        with at.shell("shell") as first, at.shell("shell") as second:
            says(first, "cd one", "")
            says(second, "cd two", "")
            says(first, "pwd", "/one\r\n")
            leaves(first)
            leaves(second)
        path = os.path.join(at.home, ".local/state/twindex/history")
        with open(path) as f:
            assert sorted(f.read().split("\n")) == ["", "cd one", "cd two", "pwd"], path
        assert os.stat(path).st_mode & 0o777 == 0o600
        with at.shell("shell") as p:
            p.send("\x1b[A")
            p.settle()
            assert p.line() == "twindex:~/tree> pwd", p.line()
            p.send("\x1b[A\x1b[A")
            p.settle()
            interrupts(p, "")
            leaves(p)


def numbers():
    with session() as (at, p):
        says(p, "report", r"1\.1  .*one/z\r\n.*1\.2  .*three/z")
        says(p, "show 1", r"1\.1 +dup +5 B +1 +5 B +20.*one/z\r\n +1\.2 +dup +.*three/z")
        says(p, "show 1.2", r"1\.2 +dup +5 B .*three/z\r\n +copy +.*one/z")
        says(p, "cd 1.2", "")
        assert p.line() == "twindex:~/tree/three>", p.line()
        says(p, "next", r"2\.1 +dup .*one/x")
        says(p, "next", "that was the last of 2")
        says(p, "prev", r"1\.1 +dup .*one/z")
        says(p, "show 3", "the last listing has the numbers 1 to 2")
        says(p, "file 2.1", r"dup .*one/x")
        says(p, "show 1", r"1\.1 +dup .*one/z")
        # Of a listing of directories they mean these, not those they are in.
        says(p, "redundant -a", r"1 .* ~/tree/one\r\n")
        says(p, "cd ..", "")
        says(p, "redundant 1", "can go")
        says(p, "redundant -a", r"1 .* one\r\n")
        says(p, "cd 1", "")
        assert p.line() == "twindex:~/tree/one>", p.line()


def numbers_for_programs():
    """%N in a program's line is the path, byte by byte; a number that is none runs nothing."""
    hostile = [b"-rf", b"a b", b"it's", b'"$(touch ran)"', b"`touch ran`", b"new\nline", b"bad\xff\x81\x88", b"back\\\\slash", b"~", b"*", b"%3",
               "\u65e5\u672c".encode(), b"\x1b[2J", b"end'"]
    with place() as at:
        at.write("show", "import os, sys\nopen(sys.argv[1], 'ab').write(b''.join(os.fsencode(a) + b'\\0' for a in sys.argv[2:]))\n")
        for name in hostile:
            at.write(b"hostile/" + name, "same")
        at.scan()
        with at.shell("shell", cwd=os.path.join(at.tree, "hostile")) as p:
            says(p, "dups --sort size --depth 0", r"\r\n +13  ")
            says(p, "!%s ../show out1 %%1- " % sys.executable, "")
            says(p, "pwd | %s ../show out2 %%2 '%%2' %%x" % sys.executable, "")
            says(p, "!touch ran; touch %99", "numbers 1 to")
            says(p, "pwd | tee ran %99", "numbers 1 to")
            says(p, "dups --sort size --depth 0 > list; pwd | cp list out3", "")
            leaves(p)
        def out(n):
            with open(os.path.join(at.tree, "hostile", "out%d" % n), "rb") as f:
                return f.read()
        paths = out(1).split(b"\0")[:-1]
        assert sorted(paths) == sorted(os.path.join(os.fsencode(at.tree), b"hostile", n) for n in hostile), paths
        assert out(2) == paths[1] + b"\0%2\0%x\0", out(2)
        assert not os.path.exists(os.path.join(at.tree, "hostile", "ran"))


def numbers_of_directories():
    with session() as (at, p):
        says(p, "similar", r"  1 +5 B, 1 file: contained\r\n +1\.1 +55%  one \(only here: 1 file, 4 B\)\r\n +1\.2 +100%  three")
        says(p, "compare 1", r"A lacks nothing of B|B lacks 1 file")
        says(p, "cd 1.2", "")
        assert p.line() == "twindex:~/tree/three>", p.line()
        says(p, "similar 1.1", "5 B, 1 file: contained")


def directories_marked_by_number():
    """mark says which directory a number was, and how many files that is; rm takes no numbers."""
    with session() as (at, p):
        says(p, "du --sort name", r" 1 [^\r\n]*one/?\r\n")
        says(p, "mark drop 1", r"\r\n2 files marked drop in one/\r\n")
        says(p, "mark drop 1", r"\r\n0 files marked drop in one/, 2 already\r\n")
        says(p, "mark clear 1 two/y", r"\r\n2 files cleared in one/ and 1 other path")
        says(p, "mark drop 1 | cat", r"\r\n2 files marked drop\r\n")
        says(p, "rm --yes 1", "rm takes no numbers of a listing")
        says(p, "rm --yes one", "is a directory: use -r for")
        assert os.path.exists(os.path.join(at.tree, "one/x"))


def lists_directories():
    """Lines of ls on a terminal have the directories that it does not go into, with a number and their sums; a pipe has none."""
    with place() as at:
        at.write("top", "top")
        at.scan()
        at.write("new/fresh", "fresh")
        with at.shell("shell") as p:
            says(p, "ls -l", r"path\r\n +1 +unique +3 B +- +- +[-0-9]+ [0-9:]+ +top\r\n +2 +unknown +- +- +- +- +new/ \(not in[^\r\n]*\r\n"
                 r" +3 +dir +9 B +- +9 B +- +one/\r\n +4 +dir +5 B +- +5 B +- +three/\r\n +5 +dir +9 B +- +4 B +- +two/\r\n")
            says(p, "ls -l -x one", r"dir +- +- +- +- +one/\r\n +4 +dir +5 B +- +0 B +- +three/\r\n")
            says(p, "unalias ls", "")
            says(p, "ls --depth 1 --sort size", r" +1 +unknown +new/[^\r]*\r\n +2 +dir +one/\r\n +3 +dir +three/\r\n +4 +dir +two/\r\n +5 +unique +top\r\n")
            says(p, "cd 3; pwd", "tree/three\r\n")
            says(p, "cd ..; ls --depth 2", r"dup +one/z\r\n +[^\r\n]*three/z\r\n[^\r\n]*two/alone\r\n[^\r\n]*two/y\r\n")
            says(p, "ls --depth 1 --name t*", r"\r\n +1 +unique +top\r\n\r?")
            says(p, "ls --depth 1 | cat -A", r"cat -A\r\n    unique  /[^\r\n]*/top\$\r\n   unknown  /[^\r\n]*/new \(not[^\r\n]*\$\r\n")
            says(p, "ls --depth 1 --format ndjson", r'(\{"[^\r]*(top|new)"[^\r]*\r\n){2}')
            leaves(p)


def marks():
    with session() as (at, p):
        says(p, "report", "2 sets")
        says(p, "mark drop 1.2", "")
        says(p, "report", r"1\.2  .*three/z \[drop\]")
        says(p, "mark drop 1.1", "refused|last|no other copy")
        says(p, "mark drop 1", "1 is a set: say which of its files is meant")
        says(p, "marks", r"drop .*three/z")
        says(p, "mark undo", "")
        says(p, "marks", "No marks")


def numbers_stay():
    with session() as (at, p):
        says(p, "report", "2 sets")
        says(p, "info", "root .*tree")
        says(p, "marks", "No marks")
        says(p, "mark keep 1.2", "marked keep: .*three/z")
        # The index that was written to is open again.
        p.send("cd thr\t")
        p.settle()
        assert p.line() == "twindex:~/tree> cd three/", p.line()
        says(p, "", "")
        says(p, "next", r"1\.1")
        says(p, "nonsense", "unknown command")
        says(p, "; pwd", "/three\r\n")
        says(p, "fil 1.1", "dup .*one/z")
        for _ in range(2):
            p.send("file --files-from -\r")
            p.settle()
            p.send("../one/x\r\x04")
            p.expect("dup .*one/x")
            p.expect(PROMPT)
        says(p, "pwd", "/three\r\n")
        says(p, "alias red $'\\e[31mRED'", "")
        says(p, "alias red", r"red +\\x1b\[31mRED")


def ends_by_signals():
    with place() as at:
        os.makedirs(os.path.join(at.home, ".config/twindex"))
        with open(os.path.join(at.home, ".config/twindex/shellrc"), "w") as f:
            f.write("!kill -TERM $PPID\n")
        with Pty([TWINDEX, "shell"], env=at.env, cwd=at.tree) as p:
            assert p.wait() == 128 + signal.SIGTERM, p.status


def another_process():
    with session() as (at, p):
        says(p, "report", "2 sets")
        at.write("four/w", "alone")
        at.scan()
        says(p, "report", "has changed since the last command[^$]*3 sets")
        says(p, "report", "3 sets")
        assert "has changed" not in "\n".join(p.lines()[-14:-1]).split("report")[-1]
        # What this shell does itself is no news.
        says(p, "scan", "files ")
        p.send("report\r")
        found = p.expect("(.|\n)*3 sets")
        assert "has changed" not in found[0], found[0]
        p.expect(PROMPT)


def commands():
    with place() as at, at.shell("shell") as p:
        says(p, "reprot", "unknown command 'reprot'; did you mean 'report'")
        says(p, "rep --top 1", "2 copies")
        says(p, "pdw", "did you mean 'pwd'")
        says(p, "shell", "you are in the shell already")
        says(p, "help", "only here:")
        says(p, "help cd", "usage: cd")
        says(p, "help ls", "usage: twindex")
        says(p, "set", r"format +text\r\nunits +iec\r\n")
        says(p, "set units bytes", "")
        says(p, "report --top 1", "2 copies of 5 B? ?each|2 copies of 5 each")
        says(p, "set units miles", "set units needs one of iec si bytes")
        says(p, "set timing on", "time: ")
        says(p, "pwd", r"/tree\r\ntime: [0-9.]+ ms")
        says(p, "alias here pwd", "")
        says(p, "here", "/tree\r\n")
        says(p, "alias report report --top 1", "")
        says(p, "report", "2 copies")
        says(p, "unalias here", "")
        says(p, "here", "unknown command 'here'")
        says(p, "!echo $((6*7)); pwd", "42\r\n.*/tree")
        p.send("exit 7\r")
        assert p.wait() == 7


def starts_with_own_lines():
    with place() as at:
        os.makedirs(os.path.join(at.home, ".config/twindex"))
        with open(os.path.join(at.home, ".config/twindex/shellrc"), "w") as f:
            f.write("# mine\nalias p pwd\nnonsense\ncd two\n")
        with at.shell("shell") as p:
            assert p.line() == "twindex:~/tree/two>", p.line()
            assert ".config/twindex/shellrc:3: unknown command 'nonsense'" in p.raw.decode(), p.raw
            says(p, "p", "/tree/two\r\n")
            leaves(p)


def sources():
    """A file's lines run as if typed: numbers and aliases count; Tab names files of the disk."""
    with session() as (at, p):
        at.write("lines", "report\nfile 1.1\n")
        says(p, "source li\t", r"1.1  > one/z\r\n[\s\S]* dup  one/z\r\n")
        at.write("lines", "dups > list\n")
        says(p, "source lines", "")
        says(p, "show 2.2", "two/y")
        at.write("lines", "!echo pwd\npwd\nnonsense\npwd\n")
        says(p, "source lines", r"\r\npwd\r\n[^\r\n]*/tree\r\ntwindex: lines:3: unknown command 'nonsense'[^\r\n]*\r\n")
        leaves(p)


def dumb_terminal():
    with session(TERM="dumb") as (at, p):
        says(p, "pwd", "/tree\r\n")
        p.send("pw")
        p.settle()
        interrupts(p, "")
        assert "\x1b" not in p.raw.decode(), p.raw


def signals():
    with place() as at:
        with at.shell("shell") as p:
            p.kill(signal.SIGTERM)
            assert p.wait() == 128 + signal.SIGTERM, p.status


def no_index():
    with place() as at:
        os.remove(at.env["TWINDEX_DB"])
        with at.shell("shell") as p:
            says(p, "report", "no index|does not exist")
            says(p, "scan -q --racy-window 0s .", "")
            says(p, "report", "2 sets")
            leaves(p)


run([starts_alone, starts_at_the_root, moves, offline, completes_hostile_names, asks_before_a_screenful, ctrl_c_drops_a_line, ctrl_c_stops_a_query, breaks_messages, aligns_queries, pages,
     ctrl_c_in_the_pager, resizes, pastes, begins_in_an_empty_row, bytes_of_names_stay, remembers, numbers, numbers_for_programs, numbers_of_directories, directories_marked_by_number, lists_directories, numbers_stay, ends_by_signals, marks, another_process, commands, starts_with_own_lines, sources, dumb_terminal, signals,
     no_index])
