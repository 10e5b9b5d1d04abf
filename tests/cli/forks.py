# SPDX-License-Identifier: MIT
"""forks.py MODULE...: import these once, then run programs of Python, each in a fork of this process.

A start of Python with its modules takes 60 to 400 ms of a processor, a fork 5.  lib.sh's python_forks starts it and
forked asks it: N, then N words, each with a NUL at its end: a directory, files for stdout and stderr, the program and
its arguments.  A program is compiled once.  The answer is a line with the exit status, as a shell has it.  It ends when nobody is left to ask.
"""

import importlib
import os
import sys


def word(requests):
    read = bytearray()
    while (byte := requests.read(1)) not in (b"", b"\0"):
        read += byte
    return os.fsdecode(bytes(read))


def become(directory, out, err, program, *arguments):
    """As if Python had just been started for the program."""
    os.chdir(directory)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for path, to in (out, 1), (err, 2):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), to)
    sys.argv = [program, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(program))


def main():
    for module in sys.argv[1:]:
        importlib.import_module(module)
    requests, code_of = os.fdopen(os.dup(0), "rb"), {}
    while n := word(requests):
        words = [word(requests) for _ in range(int(n))]
        program = os.path.join(words[0], words[3])
        if program not in code_of:
            with open(program, "rb") as f:
                code_of[program] = compile(f.read(), words[3], "exec")
        child = os.fork()
        if child == 0:
            requests.close()
            become(*words)
            return code_of[program]
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(1, b"%d\n" % (code if code >= 0 else 128 - code))
    return None


todo = main()
if todo:
    exec(todo, {"__name__": "__main__", "__file__": sys.argv[0], "__builtins__": __builtins__})
