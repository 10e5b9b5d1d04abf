# SPDX-License-Identifier: MIT
"""The completions of bash, zsh and fish: what Tab makes of a command line reaches the program as it is.

usage: completions.py SHELL

Each third case, another third in each shell; with EVERY_KIND=1 all."""

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptydrive import Pty  # noqa: E402

HERE = os.environ.get("abs_top_srcdir") or os.path.abspath(os.environ.get("srcdir", "."))
TWINDEX = os.path.abspath(os.environ.get("TWINDEX", "./twindex"))
DIR = tempfile.mkdtemp(prefix="twindex-completions.")
atexit.register(shutil.rmtree, DIR)
OTHER_DB = os.fsencode(DIR) + b"/the other.db"

# A twindex that completes, and else writes down its arguments.
FAKE = """#!/bin/sh
if [ "$1" = __complete ]; then exec '%s' "$@"; fi
printf '%%s\\0' "$@" >'%s/args.tmp'; mv '%s/args.tmp' '%s/args'
"""

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], ". '%s/completions/bash/twindex'"),
    "zsh": (["zsh", "-f", "-i"], "fpath=('%s/completions/zsh' $fpath); autoload -Uz compinit; compinit -u -D; unsetopt zle_bracketed_paste"),
    "fish": (["fish", "--no-config", "-i"], "source '%s/completions/fish/twindex.fish'"),
}

NAMES = [b"a b/it's", b"a b/two  blanks", b"q\"uote\\back", b"new\nline", b"bad\xff\xfe", b"at@b=c:d", b"$HOME", b"*star", b"plain",
         b"tab\there", b"-n", b"long one 1", b"long one 2", b"\xe5\x86\x99\xe7\x9c\x9f", b"!bang", b"#hash", b"col:on/x",
         b"esc\x1b[35;7m1", b"esc\x1b[35;7m2"]

# What is typed before Tab, the arguments that this makes, and the quote that Tab leaves open (bash ends it).
CASES = [
    (b"refr", [b"refresh"]),
    (b"ls --format nd", [b"ls", b"--format", b"ndjson"]),
    (b"ls --format=nd", [b"ls", b"--format=ndjson"]),
    (b"rm --keep newest,ol", [b"rm", b"--keep", b"newest,oldest"]),
    (b"rm --keep i", [b"rm", b"--keep", b"in:"]),
    (b"--color al", [b"--color", b"always"]),
    (b"-d ix", [b"-d", b"ix.db"]),
    (b"ls lon", [b"ls", b"long one "]),
    (b"ls a\\ ", [b"ls", b"a b/"]),
    (b"ls a\\ b/it", [b"ls", b"a b/it's"]),
    (b"ls 'a b/tw", [b"ls", b"a b/two  blanks"]),
    (b"ls \"a b/tw", [b"ls", b"a b/two  blanks"]),
    (b"ls a' b/tw", [b"ls", b"a b/two  blanks"]),
    (b"ls a\\ b/i\"t'", [b"ls", b"a b/it's"]),
    (b"ls q", [b"ls", b"q\"uote\\back"]),
    (b"ls new", [b"ls", b"new\nline"]),
    (b"ls bad", [b"ls", b"bad\xff\xfe"]),
    (b"ls at@b=", [b"ls", b"at@b=c:d"]),
    (b"ls \\$", [b"ls", b"$HOME"]),
    (b"ls \\*s", [b"ls", b"*star"]),
    (b"ls \xe5\x86\x99", [b"ls", b"\xe5\x86\x99\xe7\x9c\x9f"]),
    (b"ls \\#", [b"ls", b"#hash"]),
    (b"ls -- -", [b"ls", b"--", b"-n"]),
    (b"ls col:", [b"ls", b"col:on/"]),
    (b"ls col:on/", [b"ls", b"col:on/x"]),
    (b"ls ~/tr", [b"ls", os.fsencode(DIR) + b"/tree/"]),
    (b"ls $HOME/tr", [b"ls", os.fsencode(DIR) + b"/tree/"]),
    (b"ls $HOME/tree/lo", [b"ls", os.fsencode(DIR) + b"/tree/long one "]),
    (b"ls $HOME/tree/col:", [b"ls", os.fsencode(DIR) + b"/tree/col:on/"]),
    (b"scan ../f", [b"scan", b"../fresh"]),
    (b"scan ..", [b"scan", b"../"]),
    (b"rm gon", [b"rm", b"gone"]),
    (b"report --html=../f", [b"report", b"--html=../fresh"]),
    (b"rm --keep newest,in:col:", [b"rm", b"--keep", b"newest,in:col:on/"]),
    (b"hash gon", [b"hash", b"gon"]),
    (b"--db /nosuch ls pl", [b"--db", b"/nosuch", b"ls", b"pl"]),
    (b"-d ~/the\\ other.db ls els", [b"-d", OTHER_DB, b"ls", b"elsewhere"]),
    (b"--db $HOME/the\\ other.db ls els", [b"--db", OTHER_DB, b"ls", b"elsewhere"]),
    (b"--db=\"$HOME/the other.db\" ls els", [b"--db=" + OTHER_DB, b"ls", b"elsewhere"]),
    (b"nosuch pl", [b"nosuch", b"pl"]),
    (b"ls 'a ", [b"ls", b"a b/"], b"'"),
    (b"ls \"a ", [b"ls", b"a b/"], b'"'),
    (b"ls a\\ ;true\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D", [b"ls", b"a b/"]),
    (b"keep-it pl", [b"keep-it", b"plain"]),
    (b"as nd", [b"as", b"ndjson"]),
    (b"A=1 twindex ls pl", [b"ls", b"plain"]),
    (b"~/bin/twindex ls pl", [b"ls", b"plain"]),
]
# With variables that are set for the command alone.  bash tells completions nothing of them.
OTHER = {
    "bash": [],
    "zsh": [b"TWINDEX_DB='../the other.db' twindex ", b"true; TWINDEX_DB=~/the\\ other.db A=1 twindex ", b"TWINDEX_DB=\"$HOME/the other.db\" twindex ",
            b"env TWINDEX_DB=$HOME/the\\ other.db twindex "],
    "fish": [b"TWINDEX_DB='../the other.db' twindex ", b"true; TWINDEX_DB=~/the\\ other.db A=1 twindex ",
             b"TWINDEX_DB=\"$HOME/the other.db\" twindex "],
}
# zsh itself puts the directory in place of a quoted $HOME, and completes at the next Tab.
QUOTED_HOME = {shell: [(b"ls \"$HOME/tree/a b/tw" + tabs, [b"ls", os.fsencode(DIR) + b"/tree/a b/two  blanks"])]
               for shell, tabs in (("bash", b""), ("zsh", b"\t"), ("fish", b""))}
# fish would take what follows a tab in a name for what is told about it: nothing is offered.
TAB = {"bash": b"tab\there", "zsh": b"tab\there", "fish": b"ta"}


def prepare():
    tree = os.path.join(DIR, "tree")
    for name in NAMES + [b"gone"]:
        path = os.path.join(os.fsencode(tree), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "wb").close()
    open(os.path.join(DIR, "fresh"), "w").close()
    os.mkdir(os.path.join(DIR, "bin"))
    with open(os.path.join(DIR, "config"), "w") as f:
        f.write("[alias]\nkeep-it = mark keep\nas = ls --format\n")
    fake = os.path.join(DIR, "bin/twindex")
    with open(fake, "w") as f:
        f.write(FAKE % (TWINDEX, DIR, DIR, DIR))
    os.chmod(fake, 0o755)
    db = os.path.join(DIR, "ix.db")
    subprocess.run([TWINDEX, "-d", db, "scan", "-q", tree], check=True)
    os.rename(os.path.join(tree, "gone"), os.path.join(tree, "elsewhere"))
    subprocess.run([TWINDEX, "-d", OTHER_DB, "scan", "-q", tree], check=True)
    os.remove(os.path.join(tree, "elsewhere"))
    open(os.path.join(tree, "ix.db"), "w").close()
    return tree, {"HOME": DIR, "PATH": os.path.join(DIR, "bin") + ":" + os.environ["PATH"], "TWINDEX_DB": db,
                  "TWINDEX_CONFIG": os.path.join(DIR, "config"), "LC_ALL": "C.UTF-8",
                  "TMPDIR": os.path.join(DIR, "bin"), "PS1": "$ ", "HISTFILE": None, "XDG_CONFIG_HOME": None, "XDG_DATA_HOME": None}


def arguments(p, typed, end):
    """The arguments of the program when Tab, end and Enter follow what is typed."""
    args = os.path.join(DIR, "args")
    p.send(typed if b"twindex " in typed else b"twindex " + typed)
    p.send(b"\t")
    p.settle()
    p.send(end + b"\r")
    p.until(lambda: os.path.exists(args))
    with open(args, "rb") as f:
        got = f.read().split(b"\0")[:-1]
    os.remove(args)
    p.settle()
    return got


def main(shell):
    tree, env = prepare()
    before = sorted(os.listdir(DIR))
    argv, setup = SHELLS[shell]
    failed = []
    with Pty(argv, env=env, cwd=tree) as p:
        p.settle()
        p.send(setup % HERE + "\r")
        p.settle()
        cases = CASES + [(b"ls ta", [b"ls", TAB[shell]])] + QUOTED_HOME[shell] + [(o + b"ls els", [b"ls", b"elsewhere"]) for o in OTHER[shell]]
        for typed, want, *quote in cases if os.environ.get("EVERY_KIND") else cases[sorted(SHELLS).index(shell)::len(SHELLS)]:
            got = arguments(p, typed, quote[0] if quote and shell != "bash" else b"")
            if got != want:
                failed.append("%r: %r instead of %r" % (typed, got, want))
        p.send(b"TWINDEX_DB=$(touch made) twindex ls els\t")
        p.settle()
        if os.path.exists(os.path.join(tree, "made")):
            failed.append("Tab has run a command")
        p.send(b"\x03")
        p.settle()
        at = len(p.raw)
        p.send(b"./nosuch/twindex ls pl\t")
        p.settle()
        if re.search(rb"nknown|not found|o such", p.raw[at:]):
            failed.append("a program that is not there: %r" % p.raw[at:])
        p.send(b"\x03")
        p.settle()
        p.send(b"twindex ls esc\t\t\t")
        p.settle()
        if b"\x1b[35;7m" in p.raw[at:]:
            failed.append("a name's escape sequence reached the terminal: %r" % p.raw[at:])
        p.send(b"\x03")
        p.settle()
        at = len(p.raw)
        p.send(b"twindex du \t\t\t")
        p.settle()
        if b"col" not in p.raw[at:] or b"//" in p.raw[at:]:
            failed.append("how directories are listed: %r" % p.raw[at:])
    assert not failed, "\n".join([shell] + failed)


if __name__ == "__main__":
    main(sys.argv[1])
