# SPDX-License-Identifier: MIT
"""The interactive shell acts on the files that were meant, or not at all; and what it says is seen."""

import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from place import PROMPT, interrupts, leaves, place, says, session  # noqa: E402
from ptydrive import run  # noqa: E402


def programs_need_the_directory():
    with session() as (at, p):
        at.write("precious.tmp", "")
        says(p, "cd one", "")
        shutil.rmtree(os.path.join(at.tree, "one"))
        says(p, "!rm -f *.tmp", r"/tree/one' cannot be entered, nothing was run: No such\s+file")
        says(p, "mark drop ../three/z | tee ran", "cannot be entered")
        says(p, "pwd > list", "cannot be entered")
        # A link in its place leads elsewhere.
        os.symlink(at.tree, os.path.join(at.tree, "one"))
        says(p, "!rm -f *.tmp", "cannot be entered")
        assert os.path.exists(os.path.join(at.tree, "precious.tmp"))
        assert not {"ran", "list"} & set(os.listdir(at.tree)), os.listdir(at.tree)
        says(p, "marks", "No marks")
        os.remove(os.path.join(at.tree, "one"))
        os.mkdir(os.path.join(at.tree, "one"))
        says(p, "!pwd", "/tree/one\r\n")


def tells_how_to_take_back():
    with session() as (at, p):
        says(p, "rm one/x --yes", r"1 file removed, [^\r]* freed on disk\r\n'undo' takes that back; 'log -v' shows which copies stayed\r\n")
        says(p, "log -v", r"one/x\r\n[^\r]*two/y")
        says(p, "undo", "undone: one/x")
        says(p, "rm two/alone --yes", r"0 files removed\r\n")


def numbers_are_those_seen():
    with session() as (at, p):
        says(p, "show 1", "there is no listing yet")
        says(p, "mark drop 1.1", "there is no listing yet")
        says(p, "report", "2 sets")
        # What nobody sees does not renumber.
        says(p, "ls two | cat", "alone")
        says(p, "ls two > list", "")
        says(p, "dups --json", "three/z")
        says(p, "show 2.1", "2.1 +dup .*one/x")
        says(p, "file 1.2", "dup .*three/z")
        says(p, "file 2.2", "dup  two/y")
        says(p, "show 2", r"2\.1 +dup .*one/x\r\n +2\.2 +dup .*two/y")
        says(p, "ls two", "1 u alone +2 d y")
        says(p, "show 1.1", "1 is one file: the listing has no 1.1")
        says(p, "cd 2", "")
        assert p.line() == "twindex:~/tree/two>", p.line()
        # What stands in place of a file has no number of its own, and does not shift the others.
        says(p, "report", "1 set, 2 files")
        os.remove(os.path.join(at.tree, "one/x"))
        at.write("one/x/within", "")
        says(p, "show 1", r"1\.2 .* y")
        shutil.rmtree(os.path.join(at.tree, "one/x"))
        at.write("one/x", "same")
        says(p, "ls", "1 . alone +2 . y")
        # A listing that shows no number leaves the others; a name that is one stays a name in quotes.
        says(p, "dups alone", "")
        says(p, "show 1", "1 +unique .* alone")
        says(p, "file '1'", "two/1' does not exist")


def numbers_are_no_names():
    with session() as (at, p):
        at.write("2/x", "same")
        at.write("3/alone too", "alone too")
        at.scan()
        says(p, "waste", r" 2 .*\r\n")
        # What takes no numbers takes no file for one either, while there is a listing with it.
        for line in ("rm -r -n 2", "uniques 3 -x 3", "ls 2", "forget 1"):
            says(p, line, "%s takes no numbers of a listing: ./%s is the file of that name" % (line.split()[0], re.findall(r"\d", line)[0]))
        says(p, "uniques ./3", "alone too")
        says(p, "uniques 77", "77' does not exist")
        # The value of an option is no operand.
        says(p, "report --top 2 -a", "sets?,")
        says(p, "at-risk --top 1 -m 2", "at risk")
        says(p, "at-risk -am 1", "at risk")


def ranges_mark():
    with session() as (at, p):
        for i in range(4):
            at.write("a/%d" % i, "long content %d" % i)
            at.write("b/%d" % i, "long content %d" % i)
        at.write("c/2", "long content 2")
        at.scan()
        says(p, "report --sort path", "6 sets")
        # A range of members, to the last; of sets: all of their files, of which one stays each.
        says(p, "mark drop 3.2-", r"marked drop: b/2\r\n[^\n]*\n?.*(stays|stay)")
        assert re.match(r"twindex:~/tree \[\d drop, \d+ B\]>", p.line()), p.line()
        says(p, "mark undo", "as before|unmarked")
        assert p.line() == "twindex:~/tree>", p.line()
        says(p, "mark drop 1-2", "2 files marked drop(?s:.*)2 files refused")
        assert p.line() == "twindex:~/tree [2 drop, 28 B]>", p.line()
        says(p, "mark undo", "2 files as before")
        says(p, "mark keep 3.1 --others", r"marked keep: a/2\r\n(?s:.*)marked drop: b/2")
        says(p, "mark undo", "as before")
        says(p, "mark drop 5-", "2 files marked drop")
        says(p, "mark clear 1-", "2 files cleared")
        # Not that many; and what is quoted, or for another command, is a name.
        says(p, "mark drop 3-9", "the last listing has the numbers 1 to 6")
        says(p, "mark drop 1.2-7", "1 has the numbers 1.1 to 1.2")
        says(p, "mark drop 3.4-", "3 has the numbers 3.1 to 3.3")
        says(p, "mark drop '3-4'", "does not exist")
        says(p, "ls 1-2", "does not exist")
        says(p, "marks", "No marks")
        says(p, "dups", "a/0")
        says(p, "mark drop 1-2", "2 files marked drop")


def parts_have_no_numbers():
    with session() as (at, p):
        at.write("alone", "third")
        at.scan()
        # The files directly in a directory are less than it is.
        says(p, "waste", r"  100%  \./\r\n")
        assert not re.search(r"\d+ +5 B [^\n]*\./\r", p.stripped()), p.stripped()
        says(p, "du --sort name", r"(?s)  \./\r\n +1  [^\n]*one/\r\n +2  [^\n]*three/\r\n +3  [^\n]*two/")
        says(p, "mark drop 1", "2 files marked drop")
        says(p, "marks", "one/x\r\n[^\n]*one/z")


def many_members_fold():
    with place() as at:
        at.many(30)
        with at.shell("shell", rows=50) as p:
            says(p, "report --top 1", r"1\.20  (?s:.*?)\r\n  \.\.\. and 12 more: 'show 1' lists all\r\n\r\n")
            # They have their numbers all the same.
            says(p, "file 1.32", "dup  two/y")
            says(p, "show 1", r"1\.32 ")
            says(p, "report -v --top 1", r"1\.32 ")
            says(p, "report --top 1 | cat", r"many/029\r\n")
            leaves(p)


def enter_goes_on():
    with session() as (at, p):
        says(p, "report", "2 sets")
        # Only behind next, and only as long as there is one more.
        says(p, "", "")
        says(p, "next", r"1\.1 ")
        says(p, "", r"2\.1 ")
        says(p, "", "that was the last of 2")
        says(p, "", "")
        says(p, "show 1", r"1\.1 ")
        p.send("\r")
        p.settle()
        assert "2.1" not in p.stripped(), p.stripped()
        p.expect(PROMPT)
        says(p, "next", r"2\.1 ")


def warnings_are_seen():
    with place() as at:
        at.write("two/later", "not scanned")
        for i in range(60):
            at.write("many/%02d" % i, "same")
        at.scan(os.path.join(at.tree, "many"))
        os.remove(os.path.join(at.tree, "many/07"))
        with at.shell("shell", TWINDEX_PAGER="sed -e 's/^/PAGED /'; echo PAGER ENDS") as p:
            # Behind the text of the pager, or of another program.
            files = " ".join("many/%02d" % i for i in range(60))
            for program in ("", " | sed -e s/^/PAGED\\ /"):
                p.send("hash " + files + program + "\r")
                found = p.expect(r"(?s)PAGED .*\w  many/59\r\n(PAGER ENDS\r\n)?twindex: 'many/07': No such file")
                assert found[0].count("many/07'") == 1, found[0]
                p.expect(PROMPT)
            leaves(p)


def pagers():
    with place() as at:
        for i in range(30):
            at.write("many/%02d" % i + "ä" * 45, "same")
        at.scan()
        # A pager that is not there: plain output.
        for pager in ("/nonexistent/pager -x", "nonexistent 'pager'"):
            with at.shell("shell", TWINDEX_PAGER=pager) as p:
                says(p, "dups many", "(?s)many/00.*many/29")
                says(p, "pwd", "/tree\r\n")
                leaves(p)
        # As git has it: less gets its options where nobody chose others.
        for env, want in (({}, "FRX"), ({"LESS": "-S"}, "-S")):
            with at.shell("shell", TWINDEX_PAGER="echo LESS=$LESS PID=$$; cat >/dev/null", LESS=env.get("LESS")) as p:
                says(p, "dups many", "LESS=%s PID" % want)
                leaves(p)
        # Rows are counted in columns, not bytes: 20 lines of 90 columns fit where 100 are.
        for i in range(18, 30):
            os.remove(os.path.join(at.tree, "many", "%02d" % i + "ä" * 45))
        at.scan()
        with at.shell("shell", TWINDEX_PAGER="sed -e 's/^/PAGED /'", cols=140) as p:
            says(p, "dups many", r"(?s)dups many\r\n(?:(?!PAGED).)*many/17")
            leaves(p)
        for term in ("dumb", None):
            with at.shell("shell", TWINDEX_PAGER="sed -e 's/^/PAGED /'", TERM=term, rows=10) as p:
                says(p, "dups many", r"(?s)many/00(?:(?!PAGED).)*many/17")
                leaves(p)


def signals_reach_the_pager():
    with place() as at:
        at.many(60)
        # The pager itself is the child, not a shell around it.
        script = os.path.join(at.home, "pager")
        with open(script, "w") as f:
            f.write("#!/bin/sh\necho PARENT $(cat /proc/$PPID/comm)\ncat >/dev/null\n")
        os.chmod(script, 0o700)
        with at.shell("shell", TWINDEX_PAGER=script + " -x") as p:
            says(p, "dups many", "PARENT twindex")
            leaves(p)


def queries_are_raw():
    with session(cols=160) as (at, p):
        before = sorted(os.listdir(at.tree))
        says(p, "sql select count(*) from file_view where nlink>1", r"\n +0\r\n")
        says(p, "sql --format csv select 'it''s; a | b' || size as x from file_view where size > 4 limit 1", "it's; a \\| b5")
        says(p, "sql select 2>&1", "syntax error")
        says(p, 'sql select "path" from dir_view where path like \'%/one\' -- it\'s', "/tree/one\r\n")
        says(p, "sql select path from file_view > list", "near|syntax")
        says(p, "sql select path from file_view | wc", "a query without quotes goes on to the end of its line")
        says(p, "alias q sql select", "")
        says(p, "q 3 > 2", r"\n +1\r\n")
        assert sorted(os.listdir(at.tree)) == before, os.listdir(at.tree)
        says(p, "sql --no-header 'select 7 > 5' | sed s/^/PIPED/", "PIPED1")
        says(p, "sql 'select 1' > list; !cat list", r"1\r\n1\r\n")


def forget_asks():
    with session() as (at, p):
        says(p, "mark keep one/x", "marked keep")
        for answer in ("\r", "n\r", "no\r", "\x04"):
            p.send("forget one two\r")
            p.expect(r"/one: 2 files in 1 directory, and 1 mark\r\n.*/two: 2 files in 1 directory\r\nforget\? \[y/N\] ")
            p.send(answer)
            p.expect("nothing is forgotten")
            p.expect(PROMPT)
        p.send("forget one\r")
        p.expect("forget")
        p.expect(r"\[y/N\] ")
        interrupts(p)
        says(p, "marks", "keep .*one/x")
        says(p, "forget nowhere", "is not in the index")
        p.send("forget one/x\r")
        p.expect(r"one/x: 1 file, and 1 mark\r\nforget\? \[y/N\] ")
        p.send("y\r")
        p.expect("forgot 1 file\\r")
        p.expect(PROMPT)
        says(p, "marks", "No marks")
        says(p, "forget --yes two", "forgot 2 files in 1 directory")


def questions_are_of_the_directory():
    with session() as (at, p):
        says(p, "mark keep three/z", "marked keep")
        says(p, "cd two", "")
        says(p, "report", r"(?s)report\r\n   1  2 copies of 4 B.*one/x.* y\r.*1 set, 2 files")
        says(p, "report -a", "2 sets, 4 files")
        says(p, "report ..", "2 sets, 4 files")
        says(p, "where z", r"where z\r\n.*is named 'z' there\r\n.*only '.*/two' was asked: 'where -a' asks the whole index")
        says(p, "where -a z", "one/z\r\n.*three/z")
        says(p, "marks", "No marks.*\r\n.*only '.*/two' was asked")
        says(p, "marks --all", "keep .*three/z")
        says(p, "marks --all ..", "--all means the whole index, not '")
        says(p, "cd /", "")
        says(p, "report", "2 sets, 4 files")
        says(p, "where z", "one/z\r\n.*three/z")
        says(p, "marks", "keep .*three/z")


run([programs_need_the_directory, tells_how_to_take_back, numbers_are_those_seen, numbers_are_no_names, ranges_mark, parts_have_no_numbers, many_members_fold, enter_goes_on, warnings_are_seen, pagers, signals_reach_the_pager, queries_are_raw, forget_asks,
     questions_are_of_the_directory])
