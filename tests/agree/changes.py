# SPDX-License-Identifier: MIT
"""Random edits, told to scan --dirty-from as a list: its rows must be those of a scan that looks at everything.

Each seed (see seeds.py) makes a tree in one or two roots, then rounds of edits,
each with the paths that it touched.  After a partial scan every file on the
disk must have a row with its stat, and no row may be left over; the invariants
of the index hold; and a scan of all finds nothing to change.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from seeds import Disagreement  # noqa: E402

NAMES = [b'a', b'b', b'c', b'd', b'e', b'f', b'\xff\n', b'long' * 20]


def lstat(path):
    try:
        return os.lstat(path)
    except OSError:
        return None


class Edits:
    """Random edits below some directories; each returns the paths that it touched."""

    def __init__(self, rng, tops, note):
        self.rng, self.tops, self.note = rng, tops, note

    def all(self):
        dirs, files = [], []
        for top in self.tops:
            for path, below, names in os.walk(top):
                dirs.append(path)
                files += [p for p in (os.path.join(path, n) for n in names) if not os.path.islink(p)]
        return sorted(dirs), sorted(files)

    def free(self, dirs):
        for _ in range(20):
            path = os.path.join(self.rng.choice(dirs), self.rng.choice(NAMES))
            if lstat(path) is None:
                return path
        return None

    def write(self, path):
        with open(path, 'wb') as f:
            f.write(self.rng.choice([b'', b'x', b'y', b'xx', b'yy', b'z' * 5000, b'w' * 5000]))

    def edit(self):
        dirs, files = self.all()
        inner = [d for d in dirs if d not in self.tops]
        new = self.free(dirs)
        what = self.rng.choice(['write', 'write', 'rewrite', 'hidden', 'remove', 'mkdir', 'tree', 'rmtree', 'rename', 'move',
                                'swap', 'link', 'symlink', 'replace', 'chmod'])
        touched = []
        if what == 'write' and new:
            self.write(new)
            touched = [new]
        elif what in ('rewrite', 'hidden') and files:
            path = self.rng.choice(files)
            st = os.lstat(path)
            self.write(path)
            if what == 'hidden':
                os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))
            touched = self.names_of(path, files)
        elif what == 'remove' and files:
            path = self.rng.choice(files)
            touched = self.names_of(path, files)
            os.unlink(path)
        elif what == 'mkdir' and new:
            os.mkdir(new)
            touched = [new]
        elif what == 'tree' and new:
            os.makedirs(os.path.join(new, b'b', b'c'))
            for name in (b'x', b'b/y', b'b/c/z'):
                self.write(os.path.join(new, name))
            touched = [self.rng.choice([new, os.path.join(new, b'b', b'c', b'z')])]
        elif what == 'rmtree' and inner:
            path = self.rng.choice(inner)
            touched = [path] + [n for f in files if f.startswith(path + b'/') for n in self.names_of(f, files)]
            shutil.rmtree(path)
        elif what == 'rename' and files and new:
            path = self.rng.choice(files)
            touched = self.names_of(path, files) + [new]
            os.rename(path, new)
        elif what == 'move' and inner and new:
            path = self.rng.choice(inner)
            if not (new + b'/').startswith(path + b'/'):
                os.rename(path, new)
                touched = [path, new]
        elif what == 'swap' and len(inner) > 1:
            a, b = self.rng.sample(inner, 2)
            if not a.startswith(b + b'/') and not b.startswith(a + b'/'):
                aside = a + b'.aside'
                os.rename(a, aside)
                os.rename(b, a)
                os.rename(aside, b)
                touched = [a, b]
        elif what == 'link' and files and new:
            path = self.rng.choice(files)
            touched = self.names_of(path, files) + [new]
            os.link(path, new)
        elif what == 'symlink' and new:
            os.symlink(self.rng.choice(dirs), new)
            touched = [new]
        elif what == 'replace' and inner and files:
            path = self.rng.choice(inner)
            touched = [path] + [n for f in files if f.startswith(path + b'/') for n in self.names_of(f, files)]
            shutil.rmtree(path)
            self.write(path)
        elif what == 'chmod' and files:
            path = self.rng.choice(files)
            os.chmod(path, self.rng.choice([0o600, 0o644]))
            touched = self.names_of(path, files)
        if touched:
            self.note(what, *touched)
        return touched

    @staticmethod
    def names_of(path, files):
        """All names of a file: an edit by one of them changes the stat of all."""
        st = os.lstat(path)
        return [f for f in files if st.st_nlink == 1 and f == path or st.st_nlink > 1 and os.path.samestat(os.lstat(f), st)]


class Round:
    """One seed."""

    def __init__(self, program, seed):
        self.program = program
        self.rng = random.Random(seed)
        self.dir = os.path.realpath(tempfile.mkdtemp(prefix='twindex-changes.'))
        self.db = os.path.join(self.dir, 'index.db')
        self.told = []
        self.tops = [os.fsencode(os.path.join(self.dir, n)) for n in ['one', 'two'][:self.rng.choice([1, 2])]]

    def note(self, *words):
        self.told.append(' '.join(repr(w) if isinstance(w, bytes) else w for w in words))

    def run(self, *args, given=b'', want=(0,)):
        p = subprocess.run([self.program, '--db', self.db, *args], input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           timeout=120)
        if p.returncode not in want:
            raise Disagreement('%r: status %d\n%s' % (args, p.returncode, p.stdout.decode(errors='replace')))
        return p.stdout

    def rows(self):
        """Every row of a file as (path, size, inode, mtime, ctime)."""
        db = sqlite3.connect('file:%s?mode=ro' % self.db, uri=True)
        dirs, paths = {}, {}
        for i, parent, name, raw in db.execute('SELECT id, parent, name, name_raw FROM dir'):
            dirs[i] = parent, raw if raw is not None else name.encode()

        def path(i):
            if i not in paths:
                parent, name = dirs[i]
                paths[i] = name if parent == 0 else os.path.join(path(parent), name)
            return paths[i]

        rows = sorted((os.path.join(path(d), raw if raw is not None else name.encode()), size, inode, nlink, m * 10 ** 9 + mn, c * 10 ** 9 + cn)
                      for d, name, raw, size, inode, nlink, m, mn, c, cn in
                      db.execute('SELECT dir, name, name_raw, size, inode, nlink, mtime, mtime_nsec, ctime, ctime_nsec FROM file'))
        below = sorted(path(i) for i in dirs)
        db.close()
        return rows, below

    def disk(self):
        """The same of the disk."""
        rows, below = [], []
        for top in self.tops:
            for path, _, names in os.walk(top):
                below.append(path)
                for name in names:
                    p = os.path.join(path, name)
                    st = os.lstat(p)
                    if not os.path.islink(p):
                        rows.append((p, st.st_size, st.st_ino, st.st_nlink, st.st_mtime_ns, st.st_ctime_ns))
        return sorted(rows), sorted(below)

    def compare(self):
        got, want = self.rows(), self.disk()
        for g, w, what in zip(got, want, ('file', 'directory')):
            if g != w:
                raise Disagreement('%s: in the index alone %r, on the disk alone %r' %
                                   (what, sorted(set(g) - set(w)), sorted(set(w) - set(g))))
        self.run('check')
        out = self.run('scan', '-n', self.window())
        if b' 0 new, 0 changed, 0 gone,' not in out:
            raise Disagreement('a scan of all finds more:\n' + out.decode(errors='replace'))

    def window(self):
        return '--racy-window=0s' if self.rng.random() < 0.5 else '--racy-window=60s'

    def look(self, touched):
        """Bring the index up to date with what was touched."""
        self.run('scan', '-q', self.window(), '--dirty-from', '-', given=b''.join(p + b'\0' for p in touched))

    def play(self):
        edits = Edits(self.rng, self.tops, self.note)
        for top in self.tops:
            os.mkdir(top)
        for _ in range(self.rng.randrange(5, 30)):
            edits.edit()
        self.run('scan', '-q', self.window(), *[os.fsdecode(t) for t in self.tops])
        for _ in range(self.rng.randrange(3, 10)):
            touched = []
            for _ in range(self.rng.choice([0, 1, 1, 2, 3, 8])):
                touched += edits.edit()
            self.rng.shuffle(touched)
            self.note('scan')
            self.look(touched)
            self.compare()
            if self.rng.random() < 0.2:
                self.run('scan', '-q', self.window())

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
