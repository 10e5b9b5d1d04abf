# SPDX-License-Identifier: MIT
"""Seeds: each decides alone what its round does; they run beside one another.

    TEST.py PROGRAM SEEDS [FIRST]    seeds FIRST to FIRST + SEEDS - 1
    TEST.py PROGRAM seed N           this seed alone, telling what it does

A round is made of a program's path and a seed.  It has play(), which raises
what is wrong, close(), the directory dir, and told, the lines of what it has
done so far.  KEEP=1 leaves the directory of one that fails behind.
"""

import ctypes
import functools
import multiprocessing
import os
import subprocess
import sys
import tempfile
import traceback

LINES_TOLD = 60

# A disk gives the inode number of what is gone to the next file, as memory does not: trees that change lie there.
tempfile.tempdir = os.environ.get('DISK_TMPDIR')


class Disagreement(Exception):
    """The program's answer is not the computed one."""


def chosen():
    """What the arguments say: the program, the seeds, and whether they tell what they do."""
    program = os.path.abspath(sys.argv[1])
    if sys.argv[2] == 'seed':
        return program, [int(sys.argv[3])], True
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    return program, range(first, first + int(sys.argv[2])), False


def beside_one_another(function, jobs):
    """The results of function(job), as they come, on all processors."""
    with multiprocessing.Pool(min(len(jobs), os.cpu_count() or 1)) as pool:
        yield from pool.imap_unordered(function, jobs)


@functools.cache
def own_mounts():
    """
    Give this process mounts that no other has, as root.  Returns whether it has them: a program that looks at
    all disks of the mounts keeps those from being unmounted for a moment, and one plays beside each seed.
    """
    return (os.geteuid() == 0 and ctypes.CDLL(None).unshare(0x20000) == 0 and
            subprocess.run(['mount', '--make-rprivate', '/'], stderr=subprocess.DEVNULL).returncode == 0)


def failure_of(play):
    """What is wrong, or None."""
    try:
        play()
    except Disagreement as e:
        return str(e)
    except Exception:
        return traceback.format_exc()
    return None


def run_seed(make_round, program, tell, seed):
    r = make_round(program, seed)
    failed = failure_of(r.play)
    if tell:
        print('\n'.join(r.told))
    if failed is not None:
        lines = r.told if len(r.told) <= LINES_TOLD else r.told[:1] + ['...'] + r.told[-LINES_TOLD:]
        failed = 'seed %d:\n%s\n  %s' % (seed, '\n'.join('    ' + line for line in lines), failed)
    if failed is not None and os.environ.get('KEEP'):
        return '%s\n  kept: %s' % (failed, os.fsdecode(r.dir))
    r.close()
    return failed


def report(what, n, failures):
    """Print those of n that are not None.  Returns the exit status."""
    n_failed = 0
    for failed in failures:
        if failed is not None:
            n_failed += 1
            print('FAIL: ' + failed, flush=True)
    print('%d %s, %d failed' % (n, what, n_failed), flush=True)
    return 1 if n_failed else 0


def main(make_round):
    program, seeds, tell = chosen()
    return report('seeds', len(seeds), beside_one_another(functools.partial(run_seed, make_round, program, tell), seeds))
