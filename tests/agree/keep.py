# SPDX-License-Identifier: MIT
"""rm, report and mark drop beside a plain computation of who stays, on random trees with random rules.

A seed (see seeds.py) makes a tree, marks and some choices; for each, what rm -rn would remove, what
report says goes and what mark drop marks is compared with the order that the manual tells.  The
last choice is done, and every content must still be there.
"""

import fnmatch
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode

sys.dont_write_bytecode = True

import seeds  # noqa: E402


def path_of(record):
    return b64decode(record['path_b64']) if 'path_b64' in record else record['path'].encode()


NAMES = [b'1', b'2', b'10', b'a1', b'bb', b'.h', b'x (1)', b'a_copy', b'Old 2', b'gold', b'\xff\xfe', b'\xc3\xa9', b'z,z']
DIRS = [b'd', b'e', b'dd', b'.h', b'n,m', b'\xff', b'backup-1', b'Downloads']
TRASHES = [b'.Trash-7', b'Trash/files']
# Whether a path leads into a trash.
IN_TRASH = re.compile(rb'.*/(\.Trash(-[^/]*)?|Trash/files)/', re.DOTALL).match


def below(path, d):
    return path == d or path.startswith(d.rstrip(b'/') + b'/')


def below_any(path, dirs):
    return any(below(path, d) for d in dirs)


def prune(paths):
    return [p for i, p in enumerate(paths) if p not in paths[:i] and not any(q != p and below(p, q) for q in paths)]


def spare(path):
    """By the words of the manual: how many names on the way say so."""
    return sum(bool(re.search(rb'. \([0-9]{1,2}\)($|\.)|.~$', p) or re.search(rb'(?<![a-z])(backups?|bak|bkp|copy|copies|old|snapshots?)(?![a-z])', p.lower()) or
                    p.lower() in (b'downloads', b'download', b'desktop', b'tmp', b'temp')) for p in path[1:].split(b'/'))


class File:
    def __init__(self, path, root, root_number):
        st = os.lstat(path)
        self.path = path
        self.inode = st.st_ino
        self.nlink = st.st_nlink
        self.mtime = st.st_mtime_ns
        self.root = root
        self.root_number = root_number
        with open(path, 'rb') as f:
            self.content = f.read()

    def dirs_hidden(self, base, whole=None):
        """Whether a directory between is hidden; what is in a whole is a part of it."""
        names = self.path[len(base):].split(b'/')[:-1] if whole is None else whole[len(base):].split(b'/')
        return any(c.startswith(b'.') for c in names)


class Choice:
    """Options, and what they mean."""

    def __init__(self, rng, world):
        self.paths = prune([rng.choice(world.places()) for _ in range(rng.randint(1, 3))])
        if rng.random() < 0.25:
            self.paths = list(world.roots)
        self.options = []
        self.rules = []
        self.copies = 1
        self.protect, self.only, self.into = [], [], []
        self.parts = set()  # paths that stay first, for wholes.py
        self.tops = {}      # for wholes.py, too: the whole of a path
        words = [w for w in (self.rule(rng, world) for _ in range(rng.choice([0, 1, 1, 2, 3])))]
        if words:
            self.options += [b'--keep', b','.join(words)]
        if rng.random() < 0.3:
            self.copies = rng.randint(1, 3)
            self.options += [b'--copies', b'%d' % self.copies]
        for name, dirs, chance in (b'--protect', self.protect, 0.3), (b'--only', self.only, 0.2), (b'--in', self.into, 0.25):
            while rng.random() < chance:
                dirs.append(rng.choice(world.places()))
                self.options += [name, dirs[-1]]
        self.backups, self.from_backup, self.backups_count = world.backups, [], False
        if world.backups and rng.random() < 0.3:
            self.backups_count = True
            self.options.append(b'--backups-count')
        if world.backups and rng.random() < 0.4:
            self.from_backup.append(rng.choice(world.places()))
            self.options += [b'--from-backup', self.from_backup[-1]]
        if rng.random() < 0.1:
            self.options.append(b'--per-volume')
        if not self.options:
            self.options = [b'--copies', b'1']

    def rule(self, rng, world):
        kind = rng.choice(['first-path', 'shortest-path', 'longest-path', 'shallowest', 'deepest', 'newest', 'oldest',
                           'most-links', 'root-order', 'in', 'not-in', 'name', 'regex'])
        word = kind.encode()
        if kind in ('in', 'not-in'):
            d = rng.choice(world.places())
            word += b':' + d.replace(b',', b'\\,')
            number = (lambda f: below(f.path, d)) if kind == 'not-in' else (lambda f: not below(f.path, d))
        elif kind == 'name':
            glob = rng.choice([b'*1', b'?', b'[a-z]*', b'*(1)', b'\xff*', b'*,*'])
            word += b':' + glob.replace(b',', b'\\,')
            number = lambda f: not fnmatch.fnmatchcase(os.path.basename(f.path), glob)
        elif kind == 'regex':
            regex = rng.choice([b'/d/', b'[0-9]$', b'(dd|\xff)', b'/.$', b'\\.h', b'm/'])
            word += b':' + regex
            number = lambda f: re.search(regex, f.path, re.S) is None
        else:
            number = {
                'first-path': lambda f: f.path, 'shortest-path': lambda f: len(f.path), 'longest-path': lambda f: -len(f.path),
                'shallowest': lambda f: f.path.count(b'/'), 'deepest': lambda f: -f.path.count(b'/'),
                'newest': lambda f: -f.mtime, 'oldest': lambda f: f.mtime, 'most-links': lambda f: -f.nlink,
                'root-order': lambda f: f.root_number,
            }[kind]
        self.rules.append(number)
        return word

    def about(self):
        """The paths that the command is about: those of --only among them."""
        if not self.only:
            return self.paths
        about = []
        for only in prune(self.only):
            if below_any(only, self.paths):
                about.append(only)
            else:
                about += [p for p in self.paths if below(p, only)]
        return about

    def goes(self, files, marks, marking=False, force=False):
        """The paths that go, of all files; marking: that are marked drop."""
        about = self.about()
        gone = set()
        for content in {f.content for f in files}:
            gone |= self.goes_of([f for f in files if f.content == content], about, marks, marking, force)
        return gone

    def reasons(self, f, about, marks):
        """What the user said of a name, and the kind of its place: the less, the rather it stays."""
        return ([r(f) for r in self.rules] +
                [below_any(f.path, about), marks.get(f.path) == 'drop', marks.get(f.path) != 'keep', below_any(f.path, self.backups),
                 spare(f.path), f.path.count(b'/.')])

    def goes_of(self, names, about, marks, marking, force):
        def dropped(f):
            return marks.get(f.path) == 'drop'

        def kept(f):
            return marks.get(f.path) == 'keep'

        def pinned(f):
            return below_any(f.path, self.protect) or (kept(f) and not force) or f.path in self.parts

        def backed(f):
            return below_any(f.path, self.backups)

        def held(f):
            return backed(f) and not below_any(f.path, self.from_backup)

        def ignored(f):
            """Copies in a backup count where that is said, or where --in names it or a place in it."""
            return backed(f) and not self.backups_count and \
                not any(below(f.path, d) and below_any(d, self.backups) for d in self.into)

        def asked(f):
            base = [p for p in about if below(f.path, p)]
            return bool(base) and not pinned(f) and not held(f) and (marking or not f.dirs_hidden(max(base, key=len), self.tops.get(f.path)))

        def lost(f):
            return (IN_TRASH(f.path) or ignored(f) or
                    (self.into and not below_any(f.path, self.into)) or (marking and dropped(f)))

        shared = {f.inode for f in names if asked(f)}

        def key(f):
            return [not pinned(f)] + self.reasons(f, about, marks) + [f.inode in shared, f.path.count(b'/')]

        def compare(a, b):
            x, y = key(a), key(b)
            if x != y:
                return -1 if x < y else 1
            return (a.path > b.path) - (a.path < b.path)

        order = []
        for f in sorted((f for f in names if not lost(f)), key=functools.cmp_to_key(compare)):
            if f.inode not in order:
                order.append(f.inode)
        chosen = order[:self.copies]
        return {f.path for f in names if chosen and asked(f) and f.inode not in chosen}


class Round:
    def __init__(self, program, seed):
        self.program = program.encode()
        self.rng = random.Random(seed)
        self.dir = os.path.realpath(tempfile.mkdtemp(prefix='twindex-keep-')).encode()
        self.index = os.path.join(self.dir, b'index.db')
        self.told = []
        self.roots = []
        self.backups = []

    def close(self):
        shutil.rmtree(self.dir)

    def run(self, *args, index=None):
        env = {**os.environ, 'LC_ALL': 'C', 'TZ': 'UTC', 'HOME': os.fsdecode(self.dir), 'TWINDEX_DB': os.fsdecode(index or self.index)}
        self.told.append('twindex ' + ' '.join(os.fsdecode(a).encode('ascii', 'backslashreplace').decode() for a in args))
        done = subprocess.run([self.program, *args], env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode not in (0, 1, 2, 3):
            raise seeds.Disagreement('%s: status %d: %s' % (self.told[-1], done.returncode, done.stderr))
        return done

    def places(self):
        return self.roots + self.dirs + [f.path for f in self.files]

    def look(self):
        self.files = []
        for number, root in enumerate(self.roots):
            for d, _, names in os.walk(root):
                self.files += [File(os.path.join(d, n), root, number) for n in names]

    def make(self):
        rng = self.rng
        self.roots = [os.path.join(self.dir, b'tree', r) for r in rng.sample([b'p', b'q', b'.r', b's,t'], rng.randint(1, 3))]
        self.dirs = []
        for root in self.roots:
            os.makedirs(root)
            for _ in range(rng.randint(1, 5)):
                above = rng.choice([root] + [d for d in self.dirs if below(d, root)])
                d = os.path.join(above, rng.choice(TRASHES) if rng.random() < 0.1 else rng.choice(DIRS))
                os.makedirs(d, exist_ok=True)
                self.dirs.append(d)
        self.dirs = sorted(set(self.dirs))
        contents = [b'one', b'two', b'three', b'three and more']
        made = []
        for _ in range(rng.randint(4, 25)):
            path = os.path.join(rng.choice(self.roots + self.dirs), rng.choice(NAMES))
            if os.path.lexists(path):
                continue
            if made and rng.random() < 0.2:
                os.link(rng.choice(made), path)
            else:
                with open(path, 'wb') as f:
                    f.write(rng.choice(contents))
                t = 1600000000 * 10**9 + rng.randint(0, 3) * rng.choice([1, 10**9])
                os.utime(path, ns=(t, t))
            made.append(path)
        self.furnish()
        for root in self.roots:
            self.run(b'scan', b'-q', b'--racy-window', b'0s', root)
        self.look()

    def furnish(self):
        """What else is to be in the tree."""

    def declare(self):
        """Declare places to be backups."""
        for d in self.rng.sample(self.dirs, min(len(self.dirs), self.rng.randint(1, 2))):
            self.run(b'scan', b'-q', b'--racy-window', b'0s', b'--backup', d)
            self.backups.append(d)

    def mark(self, keeps):
        """Mark some, and take the program's word for which marks count."""
        for f in self.files:
            if self.rng.random() < 0.2:
                self.run(b'mark', b'keep' if keeps and self.rng.random() < 0.5 else b'drop', f.path)
        self.marks = {}
        for what in 'drop', 'keep':
            for path in self.marked(what):
                self.marks[path] = what

    def marked(self, what, index=None):
        """What is marked so, in effect at least where backups count and may go."""
        marks = json.loads(self.run(b'marks', b'--' + what.encode(), b'--json', index=index).stdout)['marks']
        return {path_of(m) for m in marks if m['state'] == 'effective' or 'in a backup' in m['why'] or 'in backups' in m['why']}

    def compare(self, what, want, got):
        if want != got:
            raise seeds.Disagreement('%s: only computed: %s; only the program: %s' % (what, sorted(want - got), sorted(got - want)))

    def ask(self, choice):
        """Compare rm, report and mark drop with the computation.  Returns what rm would remove, None if it refuses."""
        if not choice.about():
            for command in [b'rm', b'-rn'], [b'report']:
                if self.run(*command, *choice.paths, *choice.options).returncode != 2:
                    raise seeds.Disagreement('%s: not refused' % command)
            return None
        goes = choice.goes(self.files, self.marks)
        lines = self.run(b'rm', b'-rn', *choice.paths, *choice.options).stdout.split(b'\n')
        self.compare('rm', goes, {line[14:] for line in lines if line.startswith(b'would remove: ')})
        sets = json.loads(self.run(b'report', b'--json', *choice.paths, *choice.options).stdout)['sets']
        members = [m for s in sets for m in s['members'] if m.get('choice') == 'goes']
        # What lies in a trash is in no set, unless that trash, or something in it, is asked about.
        reported = {p for p in goes if not IN_TRASH(p) or any(IN_TRASH(d + b'/') and below(p, d) for d in choice.about())}
        self.compare('report', reported, {path_of(m) for m in members})
        force = [b'--force'] if self.rng.random() < 0.3 else []
        other = os.path.join(self.dir, b'other.db')
        shutil.copyfile(self.index, other)
        self.run(b'mark', b'drop', *force, *choice.paths, *choice.options, index=other)
        got = self.marked('drop', other)
        dropped = {path for path, mark in self.marks.items() if mark == 'drop'}
        self.compare('mark drop', choice.goes(self.files, self.marks, True, bool(force)) | dropped, got)
        return goes

    def remove(self, choice, goes):
        """rm takes what it is to, and no content goes."""
        before = {f.path: f.content for f in self.files}
        self.run(b'rm', b'-r', b'--yes', *choice.paths, *choice.options)
        self.look()
        after = {f.path: f.content for f in self.files}
        self.compare('after rm', set(before) - goes, set(after))
        self.compare('contents after rm', set(before.values()), set(after.values()))

    def play(self):
        self.make()
        if self.rng.random() < 0.3:
            self.declare()
        self.mark(self.rng.random() < 0.5)
        if self.rng.random() < 0.1:
            self.declare()
        for _ in range(6):
            choice = Choice(self.rng, self)
            goes = self.ask(choice)
        if goes is not None:
            self.remove(choice, goes)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
