# SPDX-License-Identifier: MIT
"""What is on the disk, and what the index has of it: two snapshots and what follows from both."""

import contextlib
import hashlib
import os
import shutil
import sqlite3
import stat
import tempfile
from collections import defaultdict


def below(path, top):
    return path == top or path.startswith(top + '/')


def below_any(path, tops):
    return any(below(path, t) for t in tops)


def fleeting(path):
    """Whether a file lies in a cache: it may go by itself, and then what lies elsewhere has no copy there."""
    return '/.cache/' in path


class Truth:
    """A name of a regular file on the disk."""

    __slots__ = ('ino', 'number', 'size', 'nlink', 'mtime', 'ctime', 'mode', 'content')

    def __init__(self, st, content):
        self.ino, self.number = (st.st_dev, st.st_ino), st.st_ino
        self.size, self.nlink, self.mode = st.st_size, st.st_nlink, st.st_mode
        self.mtime, self.ctime, self.content = st.st_mtime_ns, st.st_ctime_ns, content


class Disk:
    """Everything below top but for the names aside, read now; whether permissions keep the program from something."""

    def __init__(self, top, history, aside, permissions):
        self.files, self.dirs, self.others, self.blind = {}, {}, set(), set()
        # What the file system of each device says that it is.
        self.fsid = {}
        by_inode = {}
        for d, subs, names in os.walk(top):
            subs[:] = [s for s in subs if d != top or s not in aside]
            st = os.lstat(d)
            self.dirs[d] = st
            if st.st_dev not in self.fsid:
                fsid = os.statvfs(d).f_fsid
                self.fsid[st.st_dev] = '%08x%08x' % (fsid & 0xffffffff, fsid >> 32)
            if os.path.dirname(d) in self.blind or permissions and st.st_mode & 0o5 != 0o5:
                self.blind.add(d)
            subs_and_links = [s for s in subs if os.path.islink(os.path.join(d, s))]
            for n in names + subs_and_links:
                path = os.path.join(d, n)
                st = os.lstat(path)
                if not stat.S_ISREG(st.st_mode):
                    self.others.add(path)
                    continue
                content = by_inode.get((st.st_dev, st.st_ino))
                if content is None:
                    with open(path, 'rb') as f:
                        content = by_inode[st.st_dev, st.st_ino] = hashlib.md5(f.read()).hexdigest()
                f = self.files[path] = Truth(st, content)
                history[(f.ino, f.size, f.mtime, f.ctime)] = content
                # With --trust-mtime the time of status change is not looked at.
                history[(f.ino, f.size, f.mtime)] = content
                if os.path.dirname(path) in self.blind or permissions and st.st_mode & 0o4 == 0:
                    self.blind.add(path)


class Row:
    """A row of file_view."""

    __slots__ = ('path', 'ino', 'size', 'nlink', 'mtime', 'ctime', 'hash', 'head', 'error', 'racy')

    def __init__(self, v):
        self.path, self.ino, self.size, self.nlink = v[0], (v[12], v[1]), v[2], v[3]
        self.mtime, self.ctime = v[4] * 10**9 + v[5], v[6] * 10**9 + v[7]
        self.hash, self.head, self.error, self.racy = v[8:12]


class Root:
    __slots__ = ('path', 'hidden', 'min_size', 'trust', 'exclude')

    def __init__(self, path, hidden, min_size, trust, exclude=()):
        self.path, self.hidden, self.min_size, self.trust = path, bool(hidden), min_size, bool(trust)
        self.exclude = list(exclude)

    def takes(self, path, is_dir):
        """Whether the options let a scan of this root come to path."""
        if path == self.path:
            return True
        parts = path[len(self.path.rstrip('/')) + 1:].split('/')
        for i, name in enumerate(parts):
            if name.startswith('.') and not self.hidden:
                return False
            for pattern in self.exclude:
                if pattern == name or pattern == '/' + '/'.join(parts[:i + 1]):
                    return False
        return True

    def options(self):
        return (self.hidden, self.min_size, self.trust, tuple(self.exclude))


@contextlib.contextmanager
def connected(db):
    """A connection that reads the index, and leaves the file and what lies beside it as they are.

    A writer that was killed may have left a journal of which the pages are to be put back, and only a
    connection that may write does that.  It is done in a copy: for the file itself it is the program's part.
    """
    with tempfile.TemporaryDirectory(prefix='twindex-copy.') as aside:
        c = sqlite3.connect('file:%s?mode=ro' % db, uri=True, timeout=20)
        try:
            c.execute('SELECT count(*) FROM sqlite_master')
        except sqlite3.OperationalError as e:
            c.close()
            if 'readonly' not in str(e):
                raise
            copy = os.path.join(aside, 'i.db')
            for suffix in ('', '-journal'):
                shutil.copyfile(db + suffix, copy + suffix)
            c = sqlite3.connect(copy, timeout=20)
        try:
            yield c
        finally:
            c.close()


class Index:
    """What the index file says, by its public views (and the patterns of roots, which have none)."""

    def __init__(self, db):
        self.rows, self.roots, self.dirs, self.broken, self.keys = {}, [], {}, [], {}
        if not os.path.exists(db):
            return
        with connected(db) as c:
            if c.execute("SELECT count(*) FROM sqlite_master WHERE name = 'root_view'").fetchone()[0] == 0:
                return
            for v in c.execute('SELECT path, inode, size, nlink, mtime, mtime_nsec, ctime, ctime_nsec, hash, head, '
                               'error, racy, volume_id FROM file_view'):
                if v[0] in self.rows:
                    self.broken.append('file_view has %s twice' % v[0])
                self.rows[v[0]] = Row(v)
            self.keys = dict(c.execute('SELECT id, key FROM volume'))
            for path, *identity in c.execute('SELECT path, volume_id, inode FROM dir_view'):
                if path in self.dirs:
                    self.broken.append('dir_view has %s twice' % path)
                self.dirs[path] = tuple(identity)
            for i, *v in c.execute('SELECT root_id, path, hidden, min_size, trust_mtime FROM root_view').fetchall():
                exclude = [bytes(p[0]).decode() for p in
                           c.execute('SELECT pattern FROM root_exclude WHERE root = ? ORDER BY position', (i,))]
                self.roots.append(Root(*v, exclude))
            self.marks = {bytes(p).decode() if isinstance(p, bytes) else p: (d, s, h) for p, d, s, h in
                          c.execute('SELECT path, decision, size, hash FROM mark_view')}
            self.broken += ['root without place: %r' % r for (r,) in
                            c.execute('SELECT dir FROM root WHERE dir NOT IN (SELECT dir_id FROM dir_view)')]

    def root_above(self, path):
        """The innermost root at or above path."""
        best = None
        for r in self.roots:
            if below(path, r.path) and (best is None or len(r.path) > len(best.path)):
                best = r
        return best

    def reached(self, path, tops):
        """Whether a scan that begins at these directories comes to path, by way of the roots between."""
        return any(self.reached_from(path, t) for t in tops)

    def reached_from(self, path, top):
        root = self.root_above(path)
        while root is not None and root.path != top and below(root.path, top):
            outer = self.root_above(os.path.dirname(root.path))
            if outer is None or not outer.takes(root.path, True):
                return False
            root = outer
        return root is not None and below(path, top)

    def takes(self, path, size=None):
        """Whether the scans of the roots take this path: a file of this size, or a directory."""
        r = self.root_above(path if size is None else os.path.dirname(path))
        return r is not None and r.takes(path, size is None) and (size is None or size >= r.min_size)


class View:
    """Disk and index side by side: which rows are still true."""

    def __init__(self, disk, index, history):
        self.disk, self.index, self.history = disk, index, history
        # Volumes are numbers of the index; what is where it was tells which devices they are.
        device = {}
        for p, (volume, inode) in index.dirs.items():
            st = disk.dirs.get(p)
            if st is not None and st.st_ino == inode and self.may_lie_on(volume, st.st_dev):
                device.setdefault(volume, st.st_dev)
        for p, r in index.rows.items():
            f = disk.files.get(p)
            if f is not None and f.number == r.ino[1]:
                device.setdefault(r.ino[0], f.ino[0])
        self.device = device
        self.away = {volume for volume, _ in index.dirs.values()} - set(device)
        for r in index.rows.values():
            r.ino = (device.get(r.ino[0], -r.ino[0]), r.ino[1])
        self.fresh, self.stale = {}, {}
        for p, r in index.rows.items():
            f = disk.files.get(p)
            if f is not None and os.path.dirname(p) not in disk.blind and self.same(r, f):
                self.fresh[p] = f
            else:
                self.stale[p] = r
        self.nlink = {f.ino: f.nlink for f in disk.files.values()}
        self.by_content = defaultdict(list)
        for p, f in self.fresh.items():
            self.by_content[f.content].append(p)
        self.stale_sizes = {r.size for r in self.stale.values()}
        self.stale_sizes |= {r.size for r in index.rows.values() if r.error is not None}

    def may_lie_on(self, volume, dev):
        """The directory on which a disk is mounted has the inode that it has on any disk: an ext4 has an id besides."""
        kind, _, fsid = self.index.keys.get(volume, '').partition(':')
        return kind != 'ext4' or fsid[:16] == self.disk.fsid[dev]

    def in_its_directory(self, path):
        """Whether the directory of a row is still the one that the index has: else it takes the row along when it is met."""
        d = os.path.dirname(path)
        return d in self.index.dirs and d in self.disk.dirs and self.index.dirs[d][1] == self.disk.dirs[d].st_ino

    def is_covered(self, path):
        """Whether another volume lies at path, or above it, than the one that the index has there."""
        while path != '/':
            there = path in self.index.dirs and self.disk.dirs.get(path)
            if there and self.device.get(self.index.dirs[path][0]) != there.st_dev:
                return True
            path = os.path.dirname(path)
        return False

    def is_away(self, row):
        """Whether its volume is mounted nowhere that the index knows, or another one lies over it."""
        return row.ino[0] < 0 or self.is_covered(row.path)

    def same(self, r, f):
        root = self.index.root_above(os.path.dirname(r.path))
        trust = root is not None and root.trust
        return (r.ino, r.size, r.mtime) == (f.ino, f.size, f.mtime) and (trust or r.ctime == f.ctime)

    def content_of(self, r):
        """What a row's file held when it was scanned, also if it is gone by now; None if nobody saw it so."""
        return self.history.get((r.ino, r.size, r.mtime, r.ctime)) or self.history.get((r.ino, r.size, r.mtime))

    def wanted(self):
        """The files that a scan of all roots takes."""
        return {p: f for p, f in self.disk.files.items() if self.index.takes(p, f.size)}

    def others(self, path, f, x=()):
        """Fresh names of the same content: those of other inodes, and those of the same."""
        names = [q for q in self.by_content[f.content] if q != path and not below_any(q, x) and (fleeting(path) or not fleeting(q))]
        return [q for q in names if self.fresh[q].ino != f.ino], [q for q in names if self.fresh[q].ino == f.ino]

    def state(self, path, x=(), links_count=False, links_are_unique=False):
        """The state of a fresh file, everything being judged."""
        f = self.fresh[path]
        if f.size == 0:
            return 'empty'
        copies, links = self.others(path, f, x)
        if copies or (links and links_count):
            return 'dup'
        return 'linked' if links and not links_are_unique else 'unique'

    def sets(self, x=(), links_count=False, only=None):
        """Sets among the fresh files: frozensets of names."""
        found = set()
        for names in self.by_content.values():
            names = [p for p in names if not below_any(p, x)]
            copies = len(names) if links_count else len({self.fresh[p].ino for p in names})
            if copies > 1 and self.fresh[names[0]].size > 0:
                found.add(frozenset(names))
        return found

    def stale_outside(self, tops):
        """Rows outside of these directories that are not what the disk is, or could not be read."""
        return [p for p, r in self.index.rows.items()
                if not below_any(p, tops) and (p in self.stale or r.error is not None)]
