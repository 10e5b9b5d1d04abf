# SPDX-License-Identifier: MIT
"""du, tree, where and report --html beside a plain computation, on random trees.

For every directory a seed (see seeds.py) takes the files as they are on the disk, and counts by
the words of the manual: what is below, what has another copy, what could go.
"""

import base64
import fnmatch
import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from tree import Tree  # noqa: E402


# Whether a path leads into a trash as freedesktop.org has them.
IN_TRASH = re.compile(rb'.*/(\.Trash(-[^/]*)?|Trash/files)/', re.DOTALL).match


class Disk:
    """All names of regular files, with their inodes and contents."""

    def ask(self, d):
        """Sums are about a directory from now on: a trash that it is, or lies in, is meant."""
        self.meant = d + b'/' if IN_TRASH(d + b'/name') or IN_TRASH(d + b'/files/name') else None

    def __init__(self, roots, without=None, mixed=(), bound=None, was=None):
        self.meant = None
        self.was = was or {}        # inode: its bytes by all names but those in the part, which alone was scanned since
        self.mixed = set(mixed)     # inodes with a row of when they had one name: they free nothing until that is scanned
        self.names = {}     # path: (dev, inode)
        self.size = {}      # inode: bytes
        self.content = {}   # inode: its bytes
        self.nlink = {}     # inode: its names anywhere
        self.lost = {}      # path below without: inode
        self.dirs = set()
        for root in roots:
            for d, subs, names in os.walk(root):
                if d == bound:
                    subs[:] = []
                    continue
                if without is not None and (d == without or d.startswith(without + b'/')):
                    for n in names:
                        st = os.lstat(os.path.join(d, n))
                        self.lost[os.path.join(d, n)] = (st.st_dev, st.st_ino)
                    continue
                self.dirs.add(d)
                for n in names:
                    path = os.path.join(d, n)
                    st = os.lstat(path)
                    if not stat.S_ISREG(st.st_mode):
                        continue
                    inode = (st.st_dev, st.st_ino)
                    self.names[path] = inode
                    self.size[inode] = st.st_size
                    self.nlink[inode] = st.st_nlink
                    with open(path, 'rb') as f:
                        self.content[inode] = f.read()
        self.sort()

    def sort(self):
        self.copies = {}
        self.places = {}
        self.contents = {}
        for path, inode in self.names.items():
            content = self.was.get(inode, self.content[inode]) if b'/part/' not in path else self.content[inode]
            self.copies.setdefault(content, set()).add(inode)
            self.contents.setdefault(inode, set()).add(content)
            self.places.setdefault(inode, []).append(path)
        lost = list(self.lost.values())
        self.caches = {os.path.dirname(p) for p in self.names if os.path.basename(p) == b'CACHEDIR.TAG'}
        self.known = {i: len(p) + lost.count(i) for i, p in self.places.items()}

    def sums(self, chosen):
        """Of a set of names: names, bytes, bytes with another copy, bytes that could go."""
        chosen = set(chosen)
        inodes = {self.names[p] for p in chosen}
        removable = {i for i in inodes - self.mixed if len(self.contents[i]) == 1 and chosen.issuperset(self.places[i]) and
                     self.known[i] >= self.nlink[i]}
        duplicated, redundant = set(), 0
        for content in {c for i in inodes for c in self.contents[i]}:
            # What lies only in a trash is no copy, but for copies of others, where that trash is asked about.
            everywhere = {i for i in self.copies[content] if not all(map(IN_TRASH, self.places[i]))}
            # Where one is that lasts, those in a cache can go, and are no copies of it.
            stays = {i for i in everywhere if not all(map(self.in_cache, self.places[i]))} or everywhere
            copies = (stays if len(stays) > 1 else set()) | (everywhere - stays)
            if stays and self.meant is not None:
                copies = copies | {i for i in self.copies[content] - stays if all(p.startswith(self.meant) for p in self.places[i])}
            duplicated |= copies & inodes if content else set()
            gone = copies & removable
            redundant += len(content) * (len(gone) - (len(stays) > 1 and gone >= stays))
        return len(chosen), sum(self.size[i] for i in inodes), sum(self.size[i] for i in duplicated), redundant

    def in_cache(self, path):
        return any(path.startswith(d + b'/') for d in self.caches)

    def below(self, d):
        return self.sums(p for p in self.names if p.startswith(d.rstrip(b'/') + b'/'))

    def within(self, d):
        return self.sums(p for p in self.names if os.path.dirname(p) == d)


def path_of(o):
    return base64.b64decode(o['path_b64']) if 'path_b64' in o else o['path'].encode()


def holds(box, tile):
    """Whether a tile of a map, which opens, lies around another."""
    x, y, w, h, tx, ty, tw, th = (float(of.get(k)[:-1]) for of in (box, tile) for k in ('x', 'y', 'width', 'height'))
    # A thin one beside it may seem to lie in it where both are rounded, but not below its edge.
    return box.get('class') == 'box' and x < tx and y < ty and tx + tw / 2 < x + w and ty + th / 2 < y + h


def numbers(o):
    share = o['duplicated'] * 1000 // o['bytes'] / 10 if o['bytes'] else None
    assert o['share'] == share, o
    return o['files'], o['bytes'], o['duplicated'], o['redundant']


class Round:
    def __init__(self, program, seed):
        self.program, self.rng = os.fsencode(program), random.Random(seed)
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-usage.')))
        self.top = os.path.join(self.dir, b'top')
        os.mkdir(self.top)
        self.roots = [os.path.join(self.top, b'r0')]
        if self.rng.random() < 0.6:
            os.mkdir(os.path.join(self.top, b'far'))
            self.roots.append(os.path.join(self.top, b'far', b'r1'))
        if self.rng.random() < 0.4:
            # Hidden, and so no part of the root that it lies in.
            self.roots.append(os.path.join(self.roots[0], b'.h', b'in'))
        for r in self.roots:
            os.makedirs(r)
        for r in self.roots[:self.rng.randrange(3)]:
            os.makedirs(os.path.join(r, b'Trash', b'files', b'd'))
        self.mixed, self.was = set(), {}
        self.bound = None       # where a directory is mounted a second time
        self.tree = Tree(self.top, self.rng, mmaps=False)
        self.told = self.tree.log
        self.tree.fixed = set(self.roots)

    def run(self, *args, want=(0,)):
        p = subprocess.run([self.program, b'--db', os.path.join(self.dir, b'db'), *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=self.top)
        assert p.returncode in want, (args, p.returncode, p.stderr)
        return p.stdout

    def compare(self, disk, d, *options):
        disk.ask(d)
        doc = json.loads(self.run(b'tree', b'--depth', b'0', b'--json', *options, b'--', d, want=(0, 3)).decode())
        assert numbers(doc['total']) == disk.below(d), (d, doc['total'], disk.below(d))
        for o in doc['dirs']:
            p = path_of(o)
            want = disk.below(p) if o['kind'] == 'dir' else disk.within(p)
            assert numbers(o) == want, (d, o, want)
        got = {path_of(o) for o in doc['dirs'] if o['kind'] == 'dir'}
        want = {p for p in disk.dirs if p.startswith(d + b'/')}
        assert want <= got and all(any((w + b'/').startswith(g + b'/') for w in want) for g in got), (d, want ^ got)
        doc = json.loads(self.run(self.rng.choice([b'du', b'waste']), b'--json', b'--no-check', *options, b'--', d).decode())
        assert numbers(doc['total']) == disk.below(d)
        for o in doc['dirs']:
            p = path_of(o)
            assert numbers(o) == (disk.below(p) if o['kind'] == 'dir' else disk.within(d)), (d, o)

    def page(self, disk, d, *options):
        """The tiles of its map, and the rows of its table, are portions of what can go."""
        disk.ask(d)
        redundant = disk.below(d)[3]
        page = self.run(b'report', b'--html', b'-', b'--bytes', b'--no-check', *options, b'--', d, want=(0, 3))
        page = xml.etree.ElementTree.fromstring(page.decode())
        tables = [t for t in page.iter('table') if t.get('class') is None]
        assert (len(tables) > 0) == (redundant > 0), d
        for table in tables:
            rows = [int(row[0].text) for row in table.find('tbody')]
            assert sum(rows) == redundant, (d, rows, redundant)
        for section in page.iter('section'):
            tiles = [t for t in section.iter('svg') if t.find('title') is not None]
            portion = redundant if section.get('id') == 'top' else int(section.find('p').text.split()[0])
            shown = 0
            # Those at the top, for what is in a tile comes behind it.
            for i, tile in enumerate(tiles):
                if not any(holds(above, tile) for above in tiles[:i]):
                    shown += int(tile.find('title').text.split('; from here alone ')[0].rsplit(': ', 1)[1])
            assert shown == portion, (d, section.get('id'), shown, portion)

    def where(self, disk):
        everything = list(disk.names) + [d for d in disk.dirs]
        path = self.rng.choice(everything)
        name = os.path.basename(path)
        found = set(self.run(b'where', b'-0', b'--', name, want=(0, 1)).split(b'\0'))
        want = {p + (b'/' if p in disk.dirs else b'') for p in everything if os.path.basename(p) == name}
        if not any(c in name for c in b'*?['):
            assert found == want | {b''}, (name, found, want)
        end = b'/'.join(path.split(b'/')[-2:])
        if not any(c in end for c in b'*?['):
            found = set(self.run(b'where', b'-0', b'--', end).split(b'\0'))
            want = {p + (b'/' if p in disk.dirs else b'') for p in everything if p.endswith(b'/' + end)}
            assert found == want | {b''}, (end, found, want)
        letter = self.rng.choice(b'abfnx')
        pattern = b'*%c*' % letter
        found = set(self.run(b'where', b'-i0', pattern, want=(0, 1)).split(b'\0'))
        want = {p + (b'/' if p in disk.dirs else b'') for p in everything
                if fnmatch.fnmatchcase(os.path.basename(p).lower(), pattern)}
        assert found == want | {b''}, (pattern, found ^ want)

    def play(self):
        self.tree.make(self.rng.randrange(3, 12), self.rng.randrange(5, 60))
        for _ in range(self.rng.randrange(25)):
            self.rng.choice([self.tree.edit_link, self.tree.edit_new_twin, self.tree.edit_new_file])()
        # A trash is one difficulty, a cache another.
        self.plain = not any(os.path.lexists(os.path.join(r, b'Trash')) for r in self.roots)
        if self.plain and self.rng.random() < 0.6:
            self.plain = False
            self.cache()
        # One after the other, so that what is hidden in one may be a root of its own.
        for r in self.roots:
            self.run(b'scan', b'-q', b'--racy-window', b'0s', *([] if b'/.h' in r else [b'--no-hidden']), r)
        if self.rng.random() < 0.4:
            self.part()
        if seeds.own_mounts() and self.rng.random() < 0.3:
            self.bind()
        self.disk = self.indexed()
        dirs = sorted(self.disk.dirs)
        for d in [self.top, self.dir] + self.rng.sample(dirs, min(len(dirs), 4)):
            self.compare(self.disk, d)
            self.page(self.disk, d)
        without = self.rng.choice(dirs)
        if without not in self.roots:
            disk = self.indexed(without)
            for r in self.roots[:2]:
                if not (r + b'/').startswith(without + b'/'):
                    self.compare(disk, r, b'-x', without)
                    self.page(disk, r, b'-x', without)
        self.where(self.disk)

    def cache(self):
        """A directory becomes a cache, in which are copies of what lies elsewhere."""
        d = self.rng.choice([d for d in self.tree.dirs() if b'/.' not in d[len(self.top):] and d.startswith(self.roots[0] + b'/')] or [self.roots[0]])
        files = [f for f in self.tree.files() if b'/.' not in f[len(self.top):]]
        self.tree.write(os.path.join(d, b'CACHEDIR.TAG'), b'Signature: 8a477f597d28d172789f06886806bc55')
        self.tree.note('tag', d)
        for i, f in enumerate(self.rng.sample(files, min(len(files), 4))):
            to = os.path.join(d, b'copy%d' % i)
            self.rng.choice([shutil.copyfile, shutil.copyfile, os.link])(f, to)
            self.tree.note('into the cache', f, to)

    def part(self):
        """Links in a new directory, which alone is scanned: an inode is one whatever its rows say."""
        files = [f for f in self.tree.files() if b'/.' not in f[len(self.top):] and f.startswith(tuple(r + b'/' for r in self.roots))]
        d = os.path.join(self.roots[0], b'part')
        if not files or os.path.lexists(d):
            return
        os.mkdir(d)
        for i, f in enumerate(self.rng.sample(files, min(len(files), 3))):
            st = os.lstat(f)
            if st.st_nlink == 1:
                self.mixed.add((st.st_dev, st.st_ino))
            if self.plain and self.rng.random() < 0.5:
                self.rewrite(f, files)
            os.link(f, os.path.join(d, b'%d' % i))
            self.tree.note('link', f, os.path.join(d, b'%d' % i))
        self.run(b'scan', b'-q', b'--racy-window', b'0s', d)

    def rewrite(self, f, files):
        """A file with a copy gets the bytes of another one, as many, by the names that are scanned from now on."""
        inode = {g: os.lstat(g).st_ino for g in files if os.lstat(g).st_dev == os.lstat(f).st_dev}
        content = {}
        for g in inode:
            with open(g, 'rb') as file:
                content[g] = file.read()
        others = [g for g in files if inode[g] not in (inode[f], *(i for _, i in self.was)) and len(content[g]) == len(content[f]) > 0]
        new = [content[g] for g in others if content[g] != content[f]]
        if len(new) in (0, len(others)) or any(i == inode[f] for _, i in self.was):
            return
        with open(f, 'r+b') as file:
            file.write(self.rng.choice(new))
        self.was[(os.lstat(f).st_dev, inode[f])] = content[f]
        self.tree.note('rewrite', f)

    def bind(self):
        """What a directory shows a second time is in no sum a second time."""
        d = os.path.join(self.roots[0], b'bound')
        source = self.rng.choice([r for r in self.tree.dirs() if r.startswith(self.roots[0] + b'/')] or [self.roots[0]])
        if b'/.' in source[len(self.top):] or os.path.lexists(d):
            return
        os.mkdir(d)
        if subprocess.run([b'mount', b'--bind', source, d], stderr=subprocess.DEVNULL).returncode == 0:
            self.bound = d
            self.tree.note('bind', source, d)
            self.run(b'scan', b'-q', b'--racy-window', b'0s', want=(0, 3))
            self.mixed, self.was = set(), {}

    def indexed(self, without=None):
        """The disk, less what is hidden from the scans."""
        disk = Disk(self.roots[:2] if len(self.roots) > 1 else self.roots, without, self.mixed, self.bound, self.was)
        inner = self.roots[-1] if b'/.h' in self.roots[-1] else None

        def seen(path):
            if inner is not None and (path == inner or path.startswith(inner + b'/')):
                return True
            return b'/.' not in path[len(self.top):]
        disk.names = {p: i for p, i in disk.names.items() if seen(p)}
        disk.lost = {p: i for p, i in disk.lost.items() if seen(p)}
        disk.dirs = {d for d in disk.dirs if seen(d)}
        disk.sort()
        return disk

    def close(self):
        if self.bound is not None:
            subprocess.run([b'umount', b'-l', self.bound], check=False)
        self.tree.close()
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
