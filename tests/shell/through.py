#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run twindex ARG... by way of a script of its shell: twindex GLOBAL... shell -c 'COMMAND ARG...'.

$TWINDEX_PROPER is the program.  What has no command runs as it is.
"""
import os
import sys

WITH_ARGUMENT = {'--db', '-d', '--color', '--secret-from'}


def main():
    program = os.environ['TWINDEX_PROPER']
    words, options = sys.argv[1:], []
    while words and words[0].startswith('-'):
        options.append(words.pop(0))
        if options[-1] in WITH_ARGUMENT and words:
            options.append(words.pop(0))
    if words:
        line = ' '.join("'" + w.replace("'", "'\\''") + "'" for w in words)
        words = ['shell', '-c', line]
    os.execv(program, [program, *options, *words])


main()
