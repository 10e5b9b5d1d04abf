# SPDX-License-Identifier: MIT
"""The power fails during a scan: the index is as before, or after a commit, and never damaged.

    power.py PROGRAM DISK CUTS [FIRST]

DISK (disk.c) logs what scans write and sync.  Of a log, up to any call in it, follow the files that a disk may
have after a power failure there: all that was synced, and of the rest nothing, all, some calls, or some sectors.
CUTS of these are made, each decided by a seed from FIRST on, and are given to `check` or at once to `scan`.

What the disk is assumed to do: a sync returns when all that was written to the file before it is on the disk, and
that of a directory when the names in it are.  A sector is written whole or not at all, what was not written reads as
zeros, and a file that was not synced may be on the disk without a name, a name of before lead to it still.  Shared
memory is never synced: of what lies there the disk may have anything.
"""

import collections
import contextlib
import hashlib
import multiprocessing
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

SECTOR = 512
INDEX = 'i.db'
NO_INDEX = 5

Call = collections.namedtuple('Call', 'what name at length bytes')
# A scan: its calls, the files before it, and what its index must have at least, by the number of calls that were made.
Scan = collections.namedtuple('Scan', 'name tree calls before promised')
# The clock's steps: none; so that everything is old soon, or at once.
STEPS = (0, 500, 1000)


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def small(top):
    """Pairs, links and single files in some directories."""
    for i in range(60):
        put('%s/%d/f%d' % (top, i % 7, i), b'%d' % (i % 23) * (i % 13 + 1))
    os.link(top + '/1/f1', top + '/2/link')


def long_names(top):
    """More than 512 leaves, which are written before the last rows come."""
    for d in range(50):
        first = '%s/%02d/%0250d' % (top, d, 0)
        put(first, b'%d' % (d % 20))
        for i in range(1, 280):
            os.link(first, '%s/%02d/%0250d' % (top, d, i))


def edit(top):
    """What the second scan finds."""
    shutil.rmtree(top + '/3')
    for i in range(30):
        put('%s/new/g%d' % (top, i), b'%d' % (i % 29) * (i % 11 + 1))
    put(top + '/1/f1', b'other')


def read_log(path):
    calls = []
    with open(path, 'rb') as f:
        for line in f:
            what, name, at, length = line.decode().split()
            calls.append(Call(what, name, int(at), int(length), f.read(int(length)) if what == 'write' else b''))
    return calls


def files_of(directory):
    found = {}
    for name in os.listdir(directory):
        if name.startswith(INDEX):
            with open(os.path.join(directory, name), 'rb') as f:
                found[name] = f.read()
    return found


class Inode:
    """A file of the log: what a disk certainly has of it, and what it may have."""

    def __init__(self, content=b''):
        self.certain, self.perhaps = bytearray(content), []

    def sync(self):
        for call in self.perhaps:
            write(self.certain, call)
        self.perhaps = []


def write(content, call):
    if call.what == 'truncate':
        del content[call.at:]
        content.extend(bytes(call.at - len(content)))
        return
    content.extend(bytes(max(0, call.at + call.length - len(content))))
    content[call.at:call.at + call.length] = call.bytes


def write_torn(content, call, rng):
    """Some sectors of a write.  The file may grow for one that is not written."""
    if call.what == 'truncate':
        return write(content, call)
    if rng.random() < 0.5:
        content.extend(bytes(max(0, call.at + call.length - len(content))))
    at = call.at
    while at < call.at + call.length:
        end = min(call.at + call.length, at - at % SECTOR + SECTOR)
        if rng.random() < 0.5:
            write(content, Call('write', call.name, at, end - at, call.bytes[at - call.at:end - call.at]))
        at = end


def after_cut(scan, n, rng):
    """The files that a disk may have when the power fails after n calls."""
    names = {name: [Inode(content)] for name, content in scan.before.items()}
    # Of each name: what it led to when the directory was synced, and then one after the other.
    for call in scan.calls[:n]:
        leads = names.setdefault(call.name, [None])
        if call.name == '.':
            for past in names.values():
                del past[:-1]
        elif call.what == 'make':
            leads.append(Inode())
        elif call.what == 'remove':
            leads.append(None)
        elif call.what == 'sync':
            leads[-1].sync()
        else:
            leads[-1].perhaps.append(call)
    how, how_names = rng.choice(('nothing', 'all', 'some', 'torn')), rng.choice(('first', 'last', 'some'))
    found = {}
    for name, leads in sorted(names.items()):
        inode = {'first': leads[0], 'last': leads[-1], 'some': rng.choice(leads)}[how_names]
        if inode is None:
            continue
        content = bytearray(inode.certain)
        for call in inode.perhaps:
            if how == 'torn':
                write_torn(content, call, rng)
            elif how == 'all' or how == 'some' and rng.random() < 0.5:
                write(content, call)
        found[name] = bytes(content)
    # It comes with the log, once the journal's head is zeros, or away.
    logged = found.get(INDEX, b'')[68:72] == b'Twdx' and not any(found.get(INDEX + '-journal', b'')[:28])
    if how != 'all' and logged and rng.random() < 0.5:
        found[INDEX + '-shm'] = rng.randbytes(rng.choice((32768, 65536)))
    return found, 'of what was not synced %s, of names the %s' % (how, how_names)


def promise(calls, before):
    """The number of calls after which a first scan's rows are in the index: the journal's head is zeros, and synced."""
    if before:
        return 0
    for i, call in enumerate(calls):
        if call.what == 'write' and call.name == INDEX + '-journal' and call.at == 0 and call.length == 28:
            return next(k + 1 for k in range(i, len(calls)) if calls[k].what == 'sync' and calls[k].name == call.name)
    sys.exit('FAIL: the log has no commit')


class Stage:
    """Trees, what scans of them write, and what their indexes say."""

    def __init__(self, program, disk, wide):
        self.program = program
        self.top = os.path.realpath(tempfile.mkdtemp(prefix='twindex-power.'))
        self.env = {'PATH': os.environ.get('PATH', ''), 'LC_ALL': 'C.UTF-8', 'HOME': self.top, 'TZ': 'UTC', 'XDG_STATE_HOME': self.top}
        self.scans, self.expected = [], {}
        for tree in (small, long_names) if wide else (small,):
            self.log(disk, tree)

    def log(self, disk, tree):
        name, steps = tree.__name__, STEPS if tree is small else STEPS[:2]
        tree(os.path.join(self.top, name))
        old = self.record(disk, name, 'first scan', steps)
        if tree is small:
            edit(os.path.join(self.top, name))
            self.record(disk, name, 'rescan', steps, old)
        fresh = tempfile.mkdtemp(dir=self.top)
        self.must(fresh, ['scan', '-q', '--racy-window', '0', os.path.join(self.top, name)])
        self.expected[name] = said(fresh)

    def record(self, disk, tree, what, steps, before=None):
        """Log a scan with each clock.  Returns the files of an index that is whole."""
        for step in steps:
            d = tempfile.mkdtemp(dir=self.top)
            db, log = os.path.join(d, INDEX), os.path.join(d, 'log')
            give(d, before or {})
            self.must(d, ['scan', '-q', '--threads=1', '--racy-window', '0', os.path.join(self.top, tree)],
                      LD_PRELOAD=disk, DISK_INDEX=db, DISK_LOG=log, DISK_CLOCK=str(step))
            calls = read_log(log)
            whole = files_of(d)
            if not calls or all_written(calls, before or {}) != whole:
                sys.exit('FAIL: the log of a %s is not all that was written' % what)
            self.scans.append(Scan('%s of %s, clock %d' % (what, tree, step), tree, calls, before or {}, promise(calls, before)))
        return whole

    def run(self, directory, words, **more):
        p = subprocess.run([self.program, '--db', os.path.join(directory, INDEX)] + words, env=dict(self.env, **more),
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return p.returncode, p.stdout.decode(errors='replace')

    def must(self, directory, words, **more):
        status, out = self.run(directory, words, **more)
        if status != 0:
            raise AssertionError('%s exits with %d: %s' % (words[0], status, out.replace(directory, 'DIR')))

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


def all_written(calls, before):
    """The files when no power fails: whether the log is complete.  Shared memory is written without calls."""
    class Last:
        choice = staticmethod(lambda choices: choices[1] if len(choices) == 4 else choices[-2] if len(choices) == 3 else None)
    return after_cut(Scan('', '', calls, before, 0), len(calls), Last)[0]


def give(directory, files):
    for name, content in files.items():
        put(os.path.join(directory, name), content)


def said(directory):
    """Each file of the index, and with which it shares a content: hashes differ from index to index."""
    with contextlib.closing(sqlite3.connect('file:%s?mode=ro' % os.path.join(directory, INDEX), uri=True)) as db:
        if db.execute('PRAGMA integrity_check').fetchall() != [('ok',)]:
            raise AssertionError('integrity_check: %s' % db.execute('PRAGMA integrity_check').fetchall())
        rows = list(db.execute('SELECT path, size, inode, nlink, mtime, mtime_nsec, error, hash FROM file_view ORDER BY path'))
    inodes = collections.Counter(size for size, _ in {r[1:3] for r in rows})
    first = {}
    for path, *_, content in rows:
        first.setdefault(content, path)
    # What is alone with its size may be read or not.
    return [r[:-1] + (inodes[r[1]] > 1 and r[-1] and first[r[-1]],) for r in rows]


def judge(stage, scan, n, rng, directory):
    """Raise what is wrong with the index, or with the one that a scan makes of it."""
    expected = stage.expected[scan.tree]
    if rng.random() < 0.7:
        status, out = stage.run(directory, ['check'])
        none = status == NO_INDEX and 'scan first' in out and n < scan.promised
        if status != 0 and not none:
            raise AssertionError('check exits with %d: %s' % (status, out.replace(directory, 'DIR')))
    stage.must(directory, ['scan', '-q', '--threads=1', '--racy-window', '0', os.path.join(stage.top, scan.tree)])
    stage.must(directory, ['check'])
    found = said(directory)
    if found != expected:
        raise AssertionError('the next scan leaves another index than a first one: %s' % sorted(set(found) ^ set(expected), key=str)[:3])


# What every cut begins with: set before processes are forked, for its logs are too large to be sent to them.
stage = None


def cut(seed):
    """One cut, as its seed has it.  Returns what is wrong, or None, and what it was."""
    rng = random.Random(seed)
    # One in forty strikes a large index: that takes a hundred times as long.
    small_ones = [s for s in stage.scans if s.tree == 'small']
    scan = rng.choice(stage.scans if rng.random() < 0.05 else small_ones)
    n = rng.randrange(len(scan.calls) + 1)
    files, how = after_cut(scan, n, rng)
    directory = tempfile.mkdtemp(dir=stage.top)
    give(directory, files)
    wrong = None
    try:
        judge(stage, scan, n, rng, directory)
    except (AssertionError, sqlite3.Error) as e:
        wrong = 'seed %d: %s, cut after %d calls of %d, %s: %s' % (seed, scan.name, n, len(scan.calls), how, e)
        if os.environ.get('KEEP'):
            kept = tempfile.mkdtemp(prefix='twindex-power-kept.')
            give(kept, files)
            wrong += '\n  kept: ' + kept
    shutil.rmtree(directory)
    return wrong, hashlib.sha256(repr(sorted(files.items())).encode()).digest()


def main():
    program, disk, cuts = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    states, failures = set(), 0
    global stage
    stage = Stage(program, disk, cuts > 200)
    try:
        with multiprocessing.get_context('fork').Pool(os.cpu_count() or 1) as pool:
            for wrong, state in pool.imap_unordered(cut, range(first, first + cuts)):
                states.add(state)
                if wrong is not None:
                    failures += 1
                    print('FAIL: ' + wrong, flush=True)
    finally:
        stage.close()
    print('T-POWER scan: %d cuts of %d scans, %d different disks, %d wrong' % (cuts, len(stage.scans), len(states), failures))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
