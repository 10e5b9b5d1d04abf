# SPDX-License-Identifier: MIT
"""Random histories of roots, files and commands: nothing that twindex says may be false at any time.

What a seed is seeds.py says.  A history is a list of steps, each a tuple of words that stands for itself, so
that any part of it is a history, too: one that fails is made as short as it
can be, and printed as a shell script.
"""

import functools
import os
import random
import shlex
import shutil
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from author import Author  # noqa: E402
from claims import Disagreement  # noqa: E402
from world import DISKS, World  # noqa: E402

# How many of the histories have disks that are mounted and unmounted.
DISK_SHARE = float(os.environ.get('DISKS', '0'))
SHRINK_SECONDS = float(os.environ.get('SHRINK', '60'))

SCRIPT = r'''#!/bin/sh
# T=path/of/twindex sh THIS NEWDIR
T=$(realpath "${T:-twindex}"); mkdir "$1" && cd "$1" || exit; export TWINDEX_DB="$PWD/x/i.db"; mkdir t o x disks
put() { mkdir -p "$(dirname "$1")"; head -c "$2" /dev/zero | tr '\0' "$3" >"$1"; }
poke() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }
stamp() { touch -r "$1" ref; poke "$@"; touch -r ref "$1"; }
swap() { mv -T "$1" o/~; mv -T "$2" "$1"; mv -T o/~ "$2"; }
plug() { [ -e "disks/$1" ] || { truncate -s "$3" "disks/$1"; mkfs.$2 -q "disks/$1"; }; mount -o loop "disks/$1" "$4"; rm -rf "$4"/lost+found; }
ran() { sleep .02; echo "\$ $*"; "$@"; echo "status $?"; }
'''


# Bugs that are known: failures of these kinds are counted, and that is all.
KNOWN = set()
if 'KNOWN' in os.environ:
    KNOWN = set(os.environ['KNOWN'].split(','))


def command_line(step):
    """A step as a line of the script."""
    q = [shlex.quote(str(w)) for s in step[1:] for w in (s if isinstance(s, tuple) else (s,))]
    kind = step[0]
    if kind == 'ask':
        return 'ran "$T" ' + ' '.join(q)
    if kind == 'kill':
        return 'ran timeout -s %s %.4f "$T" scan -q %s' % (step[1][3:], step[2] / 1000, ' '.join(q[2:]))
    if kind == 'scan':
        return 'ran "$T" scan -q ' + ' '.join(q)
    if kind in ('refresh', 'forget', 'mark'):
        return 'ran "$T" %s %s' % (kind, ' '.join(q))
    words = {'rm': 'rm -rf', 'ln': 'ln', 'mv': 'mv -T', 'mkdir': 'mkdir -p', 'sym': 'ln -s',
             'unplug': 'umount'}.get(kind, kind)
    if kind == 'plug':
        return 'plug %s %s %d %s' % (step[1], step[2], DISKS[step[2]], step[3])
    return words + ' ' + ' '.join(q)


class Play:
    """One seed: its world's properties, its steps."""

    def __init__(self, program, seed, disks):
        self.program, self.seed = program, seed
        rng = random.Random(seed)
        self.trust, self.nobody = rng.random() < 0.15, rng.random() < 0.2 and os.geteuid() == 0
        # tmpfs never gives an inode number twice, disks do.
        shm = '/dev/shm'
        self.where = shm if rng.random() < 0.6 and os.access(shm, os.W_OK) else None
        self.disks = [('d%d' % i, rng.choice(disks)) for i in range(2)] if disks and rng.random() < DISK_SHARE else []
        self.rng, self.known = rng, []

    def world(self):
        return World(self.program, self.nobody, self.trust, self.where, self.disks)

    def run(self):
        """Returns the steps, and the failure or None."""
        w, steps, failure = self.world(), [], None
        try:
            for step in Author(self.rng, w).steps():
                steps.append(step)
                try:
                    done = w.do(step)
                except Disagreement as e:
                    # What a question gets wrong spoils nothing that follows.
                    if e.kind not in KNOWN or step[0] != 'ask':
                        raise
                    self.known.append(e.kind)
                    done = False
                if not done:
                    steps.pop()
        except Disagreement as e:
            failure = e
        except Exception:
            failure = Disagreement('tester', traceback.format_exc())
        finally:
            w.close()
        return steps, failure, w.program.n

    def again(self, steps):
        """The failure of these steps, and how many of them were done."""
        w = self.world()
        try:
            for i, step in enumerate(steps):
                try:
                    w.do(step)
                except Disagreement as e:
                    return e, i + 1
                except Exception:
                    return None, 0
        finally:
            w.close()
        return None, 0

    def shrink(self, steps, failure):
        """As few steps as fail in the same way."""
        end = time.monotonic() + SHRINK_SECONDS
        size = max(1, len(steps) // 2)
        while size >= 1 and time.monotonic() < end:
            at, shorter = 0, False
            while at < len(steps) and time.monotonic() < end:
                part = steps[:at] + steps[at + size:]
                e, n = self.again(part)
                if e is not None and e.kind == failure.kind:
                    steps, failure, shorter = part[:n], e, True
                else:
                    at += size
            if size == 1 and not shorter:
                break
            size = max(1, size // 2)
        return steps, failure


@functools.cache
def disks_of_this_machine():
    """Kinds of disks that can be made and mounted here, in a mount namespace of this process."""
    if not seeds.own_mounts():
        return []
    return [kind for kind in sorted(DISKS) for _ in range(8 if kind == 'ext4' else 1) if shutil.which('mkfs.' + kind)]


def run_seed(job):
    program, seed, tell = job
    play = Play(program, seed, disks_of_this_machine())
    steps, failure, n = play.run()
    text = None
    if failure is not None and failure.kind not in KNOWN:
        full = len(steps)
        if failure.kind != 'tester' and SHRINK_SECONDS > 0:
            steps, failure = play.shrink(steps, failure)
        lines = '\n'.join(command_line(s) for s in steps)
        text = 'seed %d%s%s%s, %d of %d steps:\n%s%s\n# %s\n' % (
            seed, ', as nobody' if play.nobody else '', ', trust' if play.trust else '',
            ', in %s' % play.where if play.where else '', len(steps), full, SCRIPT, lines, failure)
    elif tell:
        print('\n'.join(command_line(s) for s in steps))
    return play.known + ([failure.kind] if failure is not None else []), text, n


def main():
    program, numbers, tell = seeds.chosen()
    # Nobody may not enter the directory of a build, perhaps; and nothing links a copy anew meanwhile.
    there = tempfile.mkdtemp(prefix='twindex-history.')
    os.chmod(there, 0o755)
    copy = shutil.copy(program, there)
    try:
        return run_all([(copy, seed, tell) for seed in numbers])
    finally:
        shutil.rmtree(there, ignore_errors=True)


def run_all(jobs):
    kinds, commands, began = {}, 0, time.monotonic()
    for failed, text, n in seeds.beside_one_another(run_seed, jobs):
        commands += n
        if text is not None:
            print('FAIL: ' + text, flush=True)
        for kind in failed:
            kinds[kind] = kinds.get(kind, 0) + 1
    seconds = time.monotonic() - began
    print('%d seeds, %d commands in %.1f s, %d failures' % (len(jobs), commands, seconds, sum(kinds.values())))
    for kind in sorted(kinds, key=kinds.get, reverse=True):
        print('%6d  %s%s' % (kinds[kind], kind, ' (known)' if kind in KNOWN else ''))
    return 1 if set(kinds) - KNOWN else 0


if __name__ == '__main__':
    sys.exit(main())
