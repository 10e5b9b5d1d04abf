# SPDX-License-Identifier: MIT
"""Random edits on a btrfs and an xfs: a scan that asks the file system what changed finds what one of everything does.

Each seed (see seeds.py) has a disk in a file, mounted where nobody else sees it, with a
root on it: the disk itself, a directory, or one above its mount point.  Edits are those of
changes.py, and some that hide: a store through mmap with the times restored, a rename there
and back, a hard link from outside of the root, subvolumes and snapshots that come and go, bind
mounts over directories and files, a disk over a directory, remounts, and acts of the program.
"""

import mmap
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from changes import Edits, Round, lstat  # noqa: E402
from seeds import Disagreement  # noqa: E402

TYPES = {'btrfs': (['mkfs.btrfs', '-q'], '128M'), 'xfs': (['mkfs.xfs', '-q'], '320M')}


def quiet(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


class Volume(Round):
    """One seed."""

    def __init__(self, program, seed, kind=None):
        self.program = program
        self.rng = random.Random(seed)
        self.dir = os.path.realpath(tempfile.mkdtemp(prefix='twindex-volumes.'))
        self.db = os.path.join(self.dir, 'index.db')
        self.told = []
        self.type = kind or self.rng.choice(sorted(TYPES))
        self.disk_file = os.path.join(self.dir, 'disk')
        self.top = os.fsencode(self.dir) + b'/top'
        self.mount = self.top + b'/disk'
        self.outside = self.mount + b'/outside'
        self.bound, self.subvolumes = [], []
        os.makedirs(self.mount)
        make, size = TYPES[self.type]
        with open(self.disk_file, 'wb') as f:
            f.truncate(int(size[:-1]) << 20)
        self.works = seeds.own_mounts() and quiet(*make, self.disk_file) and quiet('mount', '-o', 'loop', self.disk_file, self.mount)
        if not self.works:
            return
        os.mkdir(self.outside)
        inner = self.mount + b'/in'
        os.mkdir(inner)
        self.tops = [self.rng.choice([self.mount, inner, self.top])]
        self.inner = inner
        self.note(self.type, self.tops[0])

    def hide(self, edits):
        """An edit that is not seen by the times of a directory, or not by those of a file."""
        dirs, files = edits.all()
        files = [f for f in files if lstat(f) is not None and not any(f == b or f.startswith(b + b'/') for b in self.bound)]
        inner = [d for d in dirs if d.startswith(self.inner + b'/') and d not in self.bound]
        what = self.rng.choice(['mmap', 'back', 'outer link', 'outer edit', 'subvolume', 'snapshot', 'drop', 'bind', 'bind file', 'unbind',
                                'over', 'remount', 'forget', 'refresh', 'rm'])
        new = edits.free([self.inner])
        if what == 'mmap' and files:
            path = self.rng.choice(files)
            st = os.lstat(path)
            if st.st_size == 0:
                return
            with open(path, 'r+b') as f, mmap.mmap(f.fileno(), 0) as m:
                m[self.rng.randrange(st.st_size)] = self.rng.randrange(256)
            os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))
        elif what == 'back' and inner:
            path = self.rng.choice(inner)
            os.rename(path, path + b'.away')
            open(path + b'.away/new' + b'%d' % self.rng.randrange(99), 'wb').close()
            os.rename(path + b'.away', path)
        elif what == 'outer link':
            path = self.outside + b'/%d' % self.rng.randrange(9999)
            edits.write(path)
            if new:
                os.link(path, new)
        elif what == 'outer edit' and os.listdir(self.outside):
            edits.write(os.path.join(self.outside, self.rng.choice(sorted(os.listdir(self.outside)))))
        elif what == 'subvolume' and self.type == 'btrfs' and new:
            if not quiet('btrfs', 'subvolume', 'create', new):
                raise Disagreement('no subvolume')
            self.subvolumes.append(new)
        elif what == 'snapshot' and self.type == 'btrfs' and new and self.subvolumes:
            quiet('btrfs', 'subvolume', 'snapshot', self.rng.choice(self.subvolumes), new)
            self.subvolumes.append(new)
        elif what == 'drop' and self.subvolumes:
            path = self.subvolumes.pop(self.rng.randrange(len(self.subvolumes)))
            quiet('btrfs', 'subvolume', 'delete', path)
        elif what == 'bind' and len(inner) > 1:
            a, b = self.rng.sample(inner, 2)
            if not a.startswith(b + b'/') and not b.startswith(a + b'/') and quiet('mount', '--bind', a, b):
                self.bound.append(b)
        elif what == 'bind file' and len(files) > 1:
            a, b = self.rng.sample(files, 2)
            if quiet('mount', '--bind', a, b):
                self.bound.append(b)
        elif what == 'over' and inner:
            path = self.rng.choice(inner)
            if quiet('mount', '-t', 'tmpfs', 'none', path):
                self.bound.append(path)
                edits.write(path + b'/over')
        elif what == 'unbind' and self.bound:
            quiet('umount', self.bound.pop())
        elif what == 'remount' and not self.bound:
            quiet('umount', self.mount)
            if not quiet('mount', '-o', 'loop', self.disk_file, self.mount):
                raise Disagreement('cannot mount again')
        elif what == 'forget' and inner:
            self.run('forget', os.fsdecode(self.rng.choice(inner)), want=(0, 2))
        elif what == 'refresh':
            self.run('refresh', '-q', self.window(), want=(0, 3))
        elif what == 'rm' and not self.bound:
            self.run('rm', '--yes', '-q', os.fsdecode(self.rng.choice(self.tops)), want=(0, 1, 2, 3))
        else:
            return
        self.note(what)

    def dump(self, db):
        """What an index has, but for its numbers of directories, volumes and runs."""
        kept, self.db = self.db, db
        rows = self.rows()
        self.db = kept
        return rows

    @staticmethod
    def anywhere(dump):
        """A directory that two paths lead to is at that which a thread came to first, if both are new: its inode tells."""
        rows, below = dump

        def place(path):
            st = lstat(path)
            return path if st is None else (st.st_dev, st.st_ino)

        return (sorted(((str(place(os.path.dirname(row[0]))), os.path.basename(row[0])) + row[1:]) for row in rows),
                sorted(str(place(path)) for path in below))

    def compare(self):
        """A scan by changes, and one of everything in a copy of the index as it was, must come to the same."""
        other = self.db + '.all'
        shutil.copyfile(self.db, other)
        window = self.window()
        status = [self.scan(other, window, '--no-changes'), self.scan(self.db, window)]
        if status[0] != status[1]:
            raise Disagreement('status %d of everything, %d by changes' % tuple(status))
        want, got = self.dump(other), self.dump(self.db)
        if self.bound:
            want, got = self.anywhere(want), self.anywhere(got)
        for g, w, what in zip(got, want, ('file', 'directory')):
            if g != w:
                raise Disagreement('%s: by changes alone %r, by everything alone %r' %
                                   (what, sorted(set(g) - set(w)), sorted(set(w) - set(g))))
        self.run('check')
        out = self.run('scan', '-n', '--no-changes', window, want=(0, 3))
        if b' 0 new, 0 changed, 0 gone,' not in out:
            raise Disagreement('a scan of all finds more:\n' + out.decode(errors='replace'))

    def scan(self, db, *args):
        p = subprocess.run([self.program, '--db', db, 'scan', '-q', *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=120)
        if p.returncode not in (0, 3):
            raise Disagreement('scan %r: status %d\n%s' % (args, p.returncode, p.stdout.decode(errors='replace')))
        return p.returncode

    def play(self):
        if not self.works:
            return
        edits = Edits(self.rng, [self.inner], self.note)
        for _ in range(self.rng.randrange(5, 40)):
            edits.edit()
        self.run('scan', '-q', self.window(), *[os.fsdecode(t) for t in self.tops])
        for _ in range(self.rng.randrange(3, 9)):
            if self.rng.random() < 0.4:
                time.sleep(1.05)
                self.run('scan', '-q', '--racy-window=0s', want=(0, 3))
            for _ in range(self.rng.choice([0, 1, 1, 2, 3, 8])):
                if self.rng.random() < 0.5:
                    try:
                        edits.edit()
                    except OSError as e:
                        self.note('could not: %s' % e)
                else:
                    self.hide(edits)
            self.note('scan')
            self.compare()

    def close(self):
        for path in reversed(self.bound):
            quiet('umount', path)
        quiet('umount', self.mount)
        shutil.rmtree(self.dir, ignore_errors=True)


def can(program):
    """Whether this machine can mount a disk of each type here."""
    for t in sorted(TYPES):
        v = Volume(program, 1, t)
        v.close()
        if not v.works:
            return False
    return True


if __name__ == '__main__':
    if not can(seeds.chosen()[0]):
        print('no loop devices here, or no mounts of btrfs and xfs')
        sys.exit(77)
    sys.exit(seeds.main(Volume))
