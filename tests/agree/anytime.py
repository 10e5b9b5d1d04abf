# SPDX-License-Identifier: MIT
"""Answers of an index whose scan was stopped, beside a plain computation.

The manual says: files are compared in classes of sizes, the largest first; after each, all files
of some size and more are compared, every answer says which, and what it says of these is what it
will say after the scan.  A smaller file is a copy only if it was read, and unique only if no file
of its size is unread.

A seed (see seeds.py) makes directories with few contents of a dozen sizes, many of which differ
in one byte, hard links, and at times huge files with holes, which are a class of their own.  It
changes some of them and scans again: with --until, with --max-time, or until it kills the scan.
What the index says then is compared with the files.  In the end one scan finishes, and what it
says is what a new index says.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from seeds import Disagreement  # noqa: E402

SIZES = [1, 60, 4095, 4096, 4097, 9000, 16384, 40000, 65536, 131072, 140000, 262144, 300000, 1048576]
HUGE = 1 << 31
MARKS = ['none', 'first', 'middle', 'last']
DIRS = ['a', 'b', 'b/c', 'd', 'd/e', 'd/f']
NAMES = ['k', 'l', 'm', 'n', 'o', 'p', 'q', 'r']
# index_pending: what a scan left undone.
WHOLE, UNREAD = 0, 2


class Round:
    """One seed."""

    def __init__(self, program, seed):
        self.program = program
        self.rng = random.Random(seed)
        self.dir = os.path.realpath(tempfile.mkdtemp(prefix='twindex-anytime.'))
        self.top = os.path.join(self.dir, 'top')
        self.db = os.path.join(self.dir, 'index.db')
        self.told = []
        self.content = {}       # inode: (size, mark), of all files
        for d in DIRS:
            os.makedirs(os.path.join(self.top, d), exist_ok=True)

    # The disk.

    def files(self):
        """Path: inode, of all files."""
        return {os.path.join(d, n): os.lstat(os.path.join(d, n)).st_ino for d, _, names in os.walk(self.top) for n in names}

    def write(self, path, size, mark):
        if os.path.lexists(path):
            os.unlink(path)
        with open(path, 'wb') as f:
            f.truncate(size)
            if size < HUGE:
                f.write(bytes([97]) * size)
            if mark != 'none':
                f.seek({'first': 0, 'middle': size // 2, 'last': size - 1}[mark])
                f.write(b'#')
        self.content[os.stat(path).st_ino] = (size, 'first' if size == 1 and mark != 'none' else mark)

    def path(self):
        return os.path.join(self.top, self.rng.choice(DIRS), self.rng.choice(NAMES))

    def edit(self):
        """Change something.  What is new never takes the inode of what is gone: that is moved away."""
        path, r = self.path(), self.rng.random()
        if os.path.lexists(path):
            os.rename(path, os.path.join(self.dir, 'gone.%d' % len(self.told)))
        if r < 0.15:
            self.told.append('rm %s' % path)
            return
        there = [p for p, i in self.files().items()]
        if r < 0.25 and there:
            of = self.rng.choice(there)
            os.link(of, path)
            self.told.append('ln %s %s' % (of, path))
            return
        size = HUGE if self.rng.random() < self.huge else self.rng.choice(SIZES)
        mark = self.rng.choice(MARKS)
        self.write(path, size, mark)
        self.told.append('write %s %d %s' % (path, size, mark))

    # The program.

    def run(self, *args, db=None, allowed=(0, 1, 3)):
        p = subprocess.run([self.program, '--db', db or self.db, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if p.returncode not in allowed:
            raise Disagreement('%s: exit status %d, %s' % (' '.join(args), p.returncode, p.stderr.decode()))
        return p

    def cut(self):
        """A scan that does not come to its end, mostly."""
        args = ['scan', '--racy-window', '0s']
        if self.rng.random() < 0.2:
            args += ['--threads', str(self.rng.choice([1, 2, 5]))]
        r, self.killed = self.rng.random(), False
        if r < 0.5:
            self.share = self.rng.choice([1, 20, 50, 75, 90, 99])
            self.told.append('scan --until %d' % self.share)
            self.doc = json.loads(self.run(*args, '--json', '--until', '%d%%' % self.share).stdout)
            return
        self.share = self.doc = None
        self.killed = r >= 0.6
        if r < 0.6:
            self.told.append('scan --max-time 1ms')
            self.run(*args, '--max-time', '1ms')
            return
        pause = self.rng.choice([0.002, 0.005, 0.01, 0.02, 0.04, 0.1, 0.3])
        self.told.append('scan, killed after %g s' % pause)
        p = subprocess.Popen([self.program, '--db', self.db, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(pause)
        p.kill()
        p.wait()

    # The computation.

    def model(self):
        """Path: (size, its content, inode), and of each content its inodes."""
        files = {p: (self.content[i][0], self.content[i], i) for p, i in self.files().items()}
        inodes = {}
        for _, content, i in files.values():
            inodes.setdefault(content, set()).add(i)
        return files, inodes

    def met(self, index):
        """Whether the index has the files of now: a scan that was killed may not have come so far."""
        rows = index.execute('SELECT name, inode, size FROM file').fetchall()
        return sorted(rows) == sorted((os.path.basename(p), i, self.content[i][0]) for p, i in self.files().items())

    def sets(self, inodes, least):
        return {frozenset(i) for (size, _), i in inodes.items() if size >= least and len(i) > 1}

    def says_sets(self, *args):
        """The sets of a report, by inodes."""
        p = self.run('report', '--format', 'fdupes', *args)
        groups = [g.split('\n') for g in p.stdout.decode().strip('\n').split('\n\n') if g]
        return p, {frozenset(os.lstat(path).st_ino for path in g) for g in groups}

    def says_states(self, *args):
        found = {}
        for d in DIRS:
            if os.listdir(os.path.join(self.top, d)):
                doc = json.loads(self.run('ls', '--json', *args, os.path.join(self.top, d), allowed=(0, 3)).stdout)
                found.update({f['path']: f['state'] for f in doc['files']})
        return found

    # What must hold.

    def agree_sets(self, inodes, least):
        p, says = self.says_sets('--min-size', str(least))
        if p.returncode != 0:
            raise Disagreement('report --min-size %d: status %d, %s' % (least, p.returncode, p.stderr.decode()))
        want = self.sets(inodes, least)
        if says != want:
            raise Disagreement('report --min-size %d\n  says %s\n  is   %s' % (least, says, want))
        p, says = self.says_sets()
        all_sets = self.sets(inodes, 1)
        if not want <= says or not all(any(g <= whole for whole in all_sets) for g in says):
            raise Disagreement('report\n  says %s\n  is   %s' % (says, all_sets))
        return p

    def agree_states(self, files, inodes, least):
        """Returns the sizes of which something is unread."""
        states, unread = self.says_states(), set()
        for path, (size, content, inode) in files.items():
            state = states.get(path)
            names = sum(i == inode for _, _, i in files.values())
            want = 'dup' if len(inodes[content]) > 1 else 'linked' if names > 1 else 'unique'
            if state == 'unknown':
                unread.add(size)
            if state != want and (state != 'unknown' or size >= least):
                raise Disagreement('ls: %s is %s, not %s (%d bytes; compared from %d)' % (path, state, want, size, least))
        return unread

    def agree_redundant(self, files, inodes):
        for tree in json.loads(self.run('redundant', '--json').stdout)['trees']:
            if tree['state'] != 'redundant':
                continue
            below = {p: f for p, f in files.items() if p.startswith(tree['path'] + '/')}
            for p, (_, content, _) in below.items():
                if not any(c == content and q not in below for q, (_, c, _) in files.items()):
                    raise Disagreement('redundant: %s, but %s is nowhere else' % (tree['path'], p))

    def agree_sums(self, least):
        """What du says of directories with none but compared files: it must say so after the scan."""
        sizes = {}
        for p, i in self.files().items():
            sizes.setdefault(os.path.dirname(p), []).append(self.content[i][0])
        dirs = [d for d in sizes if min(sizes[d]) >= least and not any(e.startswith(d + '/') for e in sizes)]
        return {d: json.loads(self.run('du', '--json', d).stdout)['total'] for d in dirs}

    def agree_share(self, files, unread):
        """What --until promises of the bytes that may be redundant."""
        by_size = {}
        for size, _, inode in files.values():
            by_size.setdefault(size, set()).add(inode)
        possible = {size: size * (len(i) - 1) for size, i in by_size.items()}
        settled = sum(b for size, b in possible.items() if size not in unread)
        share = 100 * settled // sum(possible.values()) if sum(possible.values()) else 100
        if self.doc['reached'] is None:
            assert not unread, (self.share, unread)
        elif not self.share <= self.doc['reached'] <= share:
            raise Disagreement('--until %d: says %d%%, is %d%%' % (self.share, self.doc['reached'], share))

    def agree(self):
        """After a scan that was cut.  Returns what must stay so."""
        self.run('check', allowed=(0,))
        index = sqlite3.connect('file:%s?mode=ro' % self.db, uri=True)
        meta, met = dict(index.execute('SELECT key, value FROM meta')), self.met(index)
        index.close()
        assert met or self.killed
        if not met:
            self.told.append('  not met')
            return {}
        if meta['pending'] not in (WHOLE, UNREAD):
            # Not every file was met: answers are about what was known, and say that it may be old.
            assert self.doc is None and self.says_sets()[0].returncode == 3
            return {}
        files, inodes = self.model()
        largest = max((f[0] for f in files.values()), default=0)
        least = 1 if meta['pending'] == WHOLE else min(meta['compared'], largest + 1)
        self.told.append('  compared from %d, pending %d' % (least, meta['pending']))
        p = self.agree_sets(inodes, least)
        told = p.stderr.decode()
        if meta['pending'] == UNREAD and (p.returncode != 3 or ('so far only files of' in told) != (least <= largest)):
            raise Disagreement('compared from %d: status %d, %s' % (least, p.returncode, told))
        unread = self.agree_states(files, inodes, least)
        self.agree_redundant(files, inodes)
        if self.doc is not None:
            self.agree_share(files, unread)
        return self.agree_sums(least)

    def finish(self, sums):
        self.run('scan', '--racy-window', '0s', allowed=(0,))
        self.told.append('scan')
        self.run('check', allowed=(0,))
        self.doc, self.killed = None, False
        self.agree()
        for d, was in sums.items():
            now = json.loads(self.run('du', '--json', d, allowed=(0,)).stdout)['total']
            if now != was:
                raise Disagreement('du %s\n  said %s\n  says %s' % (d, was, now))
        fresh = os.path.join(self.dir, 'fresh.db')
        self.run('scan', '--racy-window', '0s', self.top, db=fresh, allowed=(0,))
        for question in (['report', '--format', 'fdupes'], ['uniques'], ['du', '--json', self.top]):
            ours, new = (self.run(*question, db=db).stdout for db in (self.db, fresh))
            if ours != new:
                raise Disagreement('%s\n  says %s\n  anew %s' % (question, ours.decode(), new.decode()))

    def play(self):
        # Some file systems have no holes, and some machines little room.
        self.huge = 0.1 if self.rng.random() < 0.3 else 0
        if self.rng.random() < 0.7:
            for _ in range(self.rng.randrange(20)):
                self.edit()
        self.run('scan', '--racy-window', '0s', self.top)
        self.told.append('scan')
        sums = {}
        for _ in range(self.rng.randrange(1, 5)):
            for _ in range(self.rng.choice([0, 3, 40])):
                self.edit()
            self.cut()
            sums = self.agree()
        self.finish(sums)

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
