# SPDX-License-Identifier: MIT
"""redundant and at-risk beside a plain computation, on random trees.

A seed (see seeds.py) makes directories with few contents in many places: mirrors, moved parts,
partial copies, hard links across, what nobody may read, hidden, new and changed files.  It takes
the files as they are on the disk and says by the words of the manual which directories can go.
Then these are removed, and what is left must hold every content that there was.  Of at-risk it
says which files have no other copy, and that its directories are these files, summed up.
"""

import base64
import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import seeds  # noqa: E402

NAMES = ['a', 'b', 'c', '.d', 'old', 'Copy ', 'd e', "f'", '-g', 'h\n', 'é', 'x', 'y', 'z', '\udcff', 'a\udcc3(']
LINKS = ('link', 'special')
TAG, TAG_TEXT = 'CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55'
OLD = 10 ** 9


def below(path, d):
    return path == d or path.startswith(d.rstrip('/') + '/')


def spare(d):
    """How many names in its path are those of copies."""
    return sum(name in (b'tmp', b'temp') or bool(set(re.findall(rb'[a-z]+', name)) & {b'old', b'copy', b'backup', b'snapshots'})
               for name in os.fsencode(d).lower().split(b'/'))


class Name:
    """A name of a file in the index that is there unchanged."""

    def __init__(self, path, st, content, fleeting, inode=None):
        self.path, self.content, self.fleeting = path, content, fleeting
        self.inode, self.nlink = (inode, None) if st is None else ((st.st_dev, st.st_ino), st.st_nlink)

    def why(self, meant=()):
        """Why it may go by itself, but for places that were named, or that hold what was."""
        named = {(d, kind) for d, kind in self.fleeting if any(below(m, d) for m in meant)}
        # All below a cache is that cache.
        return {kind for d, kind in self.fleeting if not any(kind == k and below(d, n) for n, k in named)}


class World:
    """What is there, and what redundant may know of it."""

    def __init__(self, top, indexed, again=()):
        self.top, self.names, self.dirs, self.gaps, self.again = top, [], set(), [], dict(again)
        self.caches = {os.path.dirname(p) for p, was in indexed.items() if was is not None and os.path.basename(p) == TAG}
        rows = {}
        for path, was in indexed.items():
            if was is not None:
                rows.setdefault((was[0], was[1][0]), set()).add(was[1])
        # Inodes of which a part was scanned alone.  A row with another size is known to be wrong.
        self.mixed = {inode for (inode, _), seen in rows.items() if len(seen) > 1}
        for d, subs, files in os.walk(top):
            self.dirs.add(d)
            for n in files + subs:
                self.judge(os.path.join(d, n), indexed)
            subs[:] = [s for s in subs if not os.path.islink(os.path.join(d, s)) and os.path.join(d, s) in indexed]
        # Rows of what can't be reached any more.
        for path in indexed:
            d = os.path.dirname(path)
            if not os.access(d, os.X_OK) and indexed[path] is not None:
                self.gaps.append((path, 'unreadable'))
        self.indexed = [Name(path, None, was[2], self.fleeting(path), was[0]) for path, was in indexed.items() if was is not None and was[2]]
        self.dirs_indexed = [path for path, was in indexed.items() if was is None]
        here = {n.path for n in self.names}
        gone = {path for path in indexed if not self.there(path)}
        self.unseen = [n for n in self.indexed if n.path not in here and n.path not in gone]
        self.known = {}
        for path, was in indexed.items():
            if was is not None:
                self.known.setdefault(was[0], set()).add(path)
        self.nlink = {was[0]: was[3] for was in indexed.values() if was is not None}

    def fleeting(self, path):
        """The caches and snapshots that it lies in."""
        found, d = set(), os.path.dirname(path)
        while below(d, self.top):
            if d in self.caches or os.path.basename(d) == '.cache':
                found.add((d, 'cache'))
            if d.endswith('/timeshift/snapshots') or os.path.basename(d) == '.snapshots':
                found.add((d, 'snapshot'))
            d = os.path.dirname(d)
        return found

    @staticmethod
    def there(path):
        try:
            os.lstat(path)
        except PermissionError:
            pass
        except OSError:
            return False
        return True

    def judge(self, path, indexed):
        try:
            st = os.lstat(path)
        except OSError:
            return
        if stat.S_ISDIR(st.st_mode):
            if path not in indexed:
                self.gaps.append((path, 'unknown'))
            elif not os.access(path, os.R_OK | os.X_OK):
                self.gaps.append((path, 'unreadable'))
        elif not stat.S_ISREG(st.st_mode):
            self.gaps.append((path, 'link'))
        elif path not in indexed or indexed[path] is None:
            self.gaps.append((path, 'unknown'))
        elif indexed[path][0] != (st.st_dev, st.st_ino) or \
                (st.st_size, st.st_mtime_ns, st.st_ctime_ns) not in (indexed[path][1], self.again.get(path)):
            self.gaps.append((path, 'changed'))
        elif indexed[path][2] is None:
            self.gaps.append((path, 'unreadable'))
        elif st.st_size > 0:
            self.names.append(Name(path, st, indexed[path][2], self.fleeting(path)))


class Question:
    """What can go, in a world, by the words of the manual."""

    def __init__(self, world, dirs=(), exclude=(), inside=(), protect=(), hidden=False, links=False, copies=1):
        self.copies = copies
        self.hidden, self.links = hidden, links and not inside
        self.w, self.exclude, self.inside, self.protect = world, exclude, inside, protect
        # Of nested ones the outer alone is asked about.
        self.dirs = [d for d in dirs if not any(below(d, o) and d != o for o in dirs)] or [world.top]
        self.asked = dirs
        self.names, self.indexed, self.unseen = ([n for n in v if not any(below(n.path, x) for x in exclude)]
                                                 for v in (world.names, world.indexed, world.unseen))
        # Of these nobody knows what they hold now.
        self.unseen += [n for n in self.names if n.inode in world.mixed]
        self.going, self.entries = [], []
        self.place = {n.path: n for n in self.names}

    def meant(self, n):
        return (not self.inside or any(below(n.path, i) for i in self.inside)) and self.lasts(n)

    def lasts(self, n):
        """Whether it lasts longest of all that have its content."""
        return all(n.why(self.inside) <= o.why() for o in self.indexed if o.content == n.content)

    def keeps(self, n):
        return self.meant(n) and (n.inode not in self.w.mixed or self.holds(n))

    @staticmethod
    def holds(n):
        with open(n.path, 'rb') as f:
            return f.read() == n.content

    def relies(self, f, g):
        """Whether nothing takes g away that would leave f."""
        return g.content == f.content and g.why(self.inside) <= f.why()

    def without(self, gone, kept):
        """Those that go of which none is kept."""
        return [f for f in gone if not any(self.relies(f, g) for g in kept)]

    def outside(self, n):
        return self.links and n.nlink is not None and self.lasts(n) and n.nlink > len(self.w.known[n.inode])

    def sums(self, d):
        names = [n for n in self.names if below(n.path, d)]
        inodes = {n.inode: len(n.content) for n in names}
        frees = sum(size for i, size in inodes.items()
                    if all(below(p, d) and not any(below(p, x) for x in self.exclude) for p in self.w.known[i])
                    and not any(n.inode == i and n.nlink > len(self.w.known[i]) for n in names))
        return len(names), sum(inodes.values()), frees

    def kept(self, dirs, unseen):
        """Names that keep contents without these directories, or such as nobody can see."""
        kept = [n for n in self.names if self.outside(n)]
        kept += [n for n in self.names if self.keeps(n) and not any(below(n.path, d) for d in dirs)]
        return kept + [n for n in unseen if self.meant(n) and not any(below(n.path, d) for d in dirs)]

    def lost(self, dirs, unseen=()):
        """Names of which too few inodes stay without these directories."""
        kept = self.kept(dirs, unseen)
        gone = [n for n in self.names if any(below(n.path, d) for d in dirs)]
        return [f for f in gone if len({g.inode for g in kept if self.relies(f, g)}) < self.copies]

    def suits(self, d, g):
        """Whether d may go for a copy: that is no more spare than d, or one of them was named."""
        return d in self.asked or self.inside or any(below(g.path, p) for p in self.protect) or spare(os.path.dirname(g.path)) <= spare(d)

    def live(self, d, dirs, unseen=()):
        """Names in d of which all that stays without these directories is more spare than d."""
        kept = self.kept(dirs, unseen)
        return [f for f in self.names if below(f.path, d) and
                not any(self.relies(f, g) and (self.outside(g) or self.suits(d, g)) for g in kept)]

    def judged(self, d):
        return not any(below(path, d) and why not in LINKS for path, why in self.w.gaps)

    def candidate(self, d):
        """As indexed: nothing that is known is only there."""
        inside = [n for n in self.indexed if below(n.path, d)]
        kept = [n for n in self.indexed if self.meant(n) and not below(n.path, d)]
        kept += [n for n in self.indexed if self.links and self.w.nlink[n.inode] > len(self.w.known[n.inode])]
        return d in self.w.dirs and inside and not self.without(inside, kept) and \
            not any(below(d, p) or below(p, d) for p in list(self.protect) + list(self.exclude))

    def subdirs(self, d):
        return [s for s in self.w.dirs if os.path.dirname(s) == d and s != d and
                (self.hidden or not os.path.basename(s).startswith('.'))]

    def order(self, dirs):
        """Those named as copies and hidden ones first, then the largest, the deepest, the last in a walk by names."""
        def key(d):
            _, size, frees = self.sums(d)
            names = os.fsencode(d).split(b'/')
            return spare(d), sum(name.startswith(b'.') for name in names), frees, size, len(names), names
        return sorted(dirs, key=key, reverse=True)

    def highest(self, d, asindexed):
        if asindexed(d):
            return [d]
        return [h for s in self.subdirs(d) for h in self.highest(s, asindexed)]

    def choose(self, d, told):
        """Let it go, or answer for it.  Returns what is to be tried in its place."""
        could = self.judged(d) and not self.lost(self.going + [d])
        if could and not self.live(d, self.going + [d]):
            self.going.append(d)
            self.entries.append((d, 'redundant'))
            return []
        state = None
        if not self.lost([d], self.unseen) and not self.live(d, [d], self.unseen):
            state = 'leaned-on' if self.judged(d) and not self.lost([d]) and not self.live(d, [d]) else 'unproven'
        elif could:
            state = 'live'
        if state and not told:
            self.entries.append((d, state))
            told = True
        return [(s, told) for s in self.subdirs(d)]

    def nearly(self, d):
        """As of the last scan: files below d, those that too few inodes outside of it keep, and the bytes of both."""
        inside = [n for n in self.indexed if below(n.path, d) and n.content]
        kept = [n for n in self.indexed if self.keeps(n) and (not below(n.path, d) or self.known_outside(n))]
        short = {f.content for f in inside if len({g.inode for g in kept if self.relies(f, g)}) < self.copies}
        lost = [f for f in inside if f.content in short]
        return len(inside), len(lost), sum({n.inode: len(n.content) for n in inside}.values()), sum(len(f.content) for f in lost)

    def nearly_live(self, d):
        """The same of the names that have copies elsewhere, but none that d may go for."""
        found = [(f, [g for g in self.indexed if self.relies(f, g) and self.keeps(g) and (not below(g.path, d) or self.known_outside(g))])
                 for f in self.indexed if below(f.path, d) and f.content]
        return [f for f, kept in found if kept and not any(self.known_outside(g) or self.suits(d, g) for g in kept)]

    def known_outside(self, n):
        return self.links and self.w.nlink[n.inode] > len(self.w.known[n.inode])

    def almost(self):
        """The highest directories that could go but for a few files: at most three, or 1 %."""
        found, left = [], [d for d in self.dirs]
        while left:
            d = left.pop()
            files, lost, size, lost_size = self.nearly(d)
            if d not in self.going and not self.nearly_live(d) and 0 < lost <= max(3, files // 100) and lost * 2 < files and lost_size * 2 <= size and \
                    not any(below(d, p) or below(p, d) for p in list(self.protect) + list(self.exclude)):
                found.append((d, lost, size - lost_size))
            else:
                left += [s for s in self.w.dirs_indexed if os.path.dirname(s) == d and s != d and
                         (self.hidden or not os.path.basename(s).startswith('.'))]
        return sorted(found, key=lambda f: -f[2])

    def answer(self):
        tops = []
        for d in self.dirs:
            tops += [h for h in self.highest(d, self.candidate) if h not in tops]
        left = [(d, False) for d in tops]
        while left:
            # What was asked for is answered for, even if no file of it could be judged.
            left = [(d, told) for d, told in left if self.sums(d)[0] > 0 or (d in self.asked and not self.judged(d))]
            for d in self.order([d for d, _ in left])[:1]:
                told = dict(left)[d]
                left.remove((d, told))
                left += self.choose(d, told)
        return self.entries


def path_of(o):
    return os.fsdecode(base64.b64decode(o['path_b64'])) if 'path_b64' in o else o['path']


class Round:
    def __init__(self, program, seed):
        if os.getuid() == 0:
            # Else nothing is unreadable.
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
        self.program, self.rng, self.told = program, random.Random(seed), []
        self.dir = os.path.realpath(tempfile.mkdtemp(prefix='twindex-redundant.'))
        self.top = os.path.join(self.dir, 'top')
        os.mkdir(self.top)
        self.count, self.again = 0, {}

    def note(self, *what):
        self.told.append(' '.join(str(w).replace(self.top, '') for w in what))

    def run(self, *args, want=(0, 1, 3)):
        p = subprocess.run([self.program, '--db', os.path.join(self.dir, 'db'), *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=self.top)
        if p.returncode not in want:
            raise seeds.Disagreement('%s: status %d\n%s' % (args, p.returncode, p.stderr.decode()))
        return p

    def free(self, d):
        self.count += 1
        return os.path.join(d, self.rng.choice(NAMES) + str(self.count))

    def all_dirs(self):
        return sorted(d for d, _, _ in os.walk(self.top))

    def all_files(self):
        return sorted(os.path.join(d, n) for d, _, names in os.walk(self.top) for n in names
                      if stat.S_ISREG(os.lstat(os.path.join(d, n)).st_mode))

    def write(self, path):
        size = self.rng.choice([0, 1, 1, 2, 3, 5])
        with open(path, 'w') as f:
            f.write(''.join(self.rng.choice('pq') for _ in range(size)))
        if self.rng.random() < 0.3:
            os.utime(path, (OLD, OLD))
        self.note('write', repr(path), size)

    def make(self):
        for _ in range(self.rng.randrange(2, 9)):
            os.mkdir(self.free(self.rng.choice(self.all_dirs())))
        for _ in range(self.rng.randrange(3, 25)):
            self.write(self.free(self.rng.choice(self.all_dirs())))
        for _ in range(self.rng.randrange(1, 8)):
            self.rng.choice([self.mirror, self.mirror, self.link, self.link_outside, self.symlink, self.hide, self.move])()
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            self.rng.choice([self.tag, self.tag, self.cache])()

    def mirror(self):
        """Copy a directory, sometimes in part, sometimes as hard links."""
        d = self.rng.choice(self.all_dirs()[1:])
        to = self.free(self.rng.choice([x for x in self.all_dirs() if not below(x, d)]))
        copy = self.rng.choice([shutil.copyfile, shutil.copyfile, os.link])
        shutil.copytree(d, to, symlinks=True, copy_function=copy)
        self.note('mirror', repr(d), repr(to), copy.__name__)
        if self.rng.random() < 0.3:
            for f in self.all_files():
                if below(f, to) and self.rng.random() < 0.3:
                    os.unlink(f)
                    self.note('without', repr(f))

    def link(self):
        files = self.all_files()
        if files:
            f, to = self.rng.choice(files), self.free(self.rng.choice(self.all_dirs()))
            os.link(f, to)
            self.note('link', repr(f), repr(to))

    def link_outside(self):
        files = self.all_files()
        if files:
            f = self.rng.choice(files)
            os.link(f, os.path.join(self.dir, 'out%d' % self.count))
            self.count += 1
            self.note('link outside', repr(f))

    def tag(self):
        """A directory becomes a cache."""
        d = self.rng.choice(self.all_dirs()[1:])
        # What a scan leaves out tags nothing.
        if not self.options:
            with open(os.path.join(d, TAG), 'w') as f:
                f.write(TAG_TEXT)
            self.note('tag', repr(d))

    def cache(self):
        """Copies where they may go by themselves."""
        d = os.path.join(self.rng.choice(self.all_dirs()), self.rng.choice(['.cache', 'timeshift/snapshots', '.snapshots']))
        files = self.all_files()
        if not os.path.lexists(d) and files:
            os.makedirs(d)
            for f in self.rng.sample(files, min(len(files), 4)):
                self.rng.choice([shutil.copyfile, shutil.copyfile, os.link])(f, self.free(d))
            self.note('cache', repr(d))

    def part(self, indexed):
        """Links of a directory, perhaps a change through one of them, and a scan of these links alone."""
        d = self.rng.choice(self.all_dirs()[1:])
        to = self.free(self.rng.choice([x for x in self.all_dirs() if not below(x, d)]))
        shutil.copytree(d, to, symlinks=True, copy_function=os.link)
        self.note('links', repr(d), repr(to))
        inside = [f for f in self.all_files() if below(f, to)]
        if inside and self.rng.random() < 0.4:
            f = self.rng.choice(inside)
            with open(f, 'r+') as o:
                o.write(''.join(self.rng.choice('pq') for _ in range(self.rng.choice([min(5, os.lstat(f).st_size), 6]))))
            self.note('change', repr(f))
        self.run('scan', '-q', '--racy-window', '0s', to, want=(0, 1, 3))
        self.note('scan', repr(to))
        now = {path: was for path, was in self.index().items() if below(path, to)}
        # Of a file that has another link only since, the scan meets all names.
        met = {(was[0], was[1][:2], was[2]): was[1] for was in now.values() if was is not None}
        self.again = {**self.again, **{path: met[was[0], was[1][:2], was[2]] for path, was in indexed.items()
                                       if was is not None and (was[0], was[1][:2], was[2]) in met}}
        indexed.update(now)

    def symlink(self):
        path = self.free(self.rng.choice(self.all_dirs()))
        os.symlink('nowhere', path)
        self.note('symlink', repr(path))

    def hide(self):
        d = os.path.join(self.rng.choice(self.all_dirs()), '.h')
        if not os.path.lexists(d):
            self.write(d)

    def move(self):
        d = self.rng.choice(self.all_dirs()[1:])
        to = self.free(self.rng.choice([x for x in self.all_dirs() if not below(x, d)]))
        os.rename(d, to)
        self.note('move', repr(d), repr(to))

    def forbid(self):
        """Before the scan: a file that can't be read."""
        files = self.all_files()
        if files:
            f = self.rng.choice(files)
            os.chmod(f, 0)
            self.note('forbid', repr(f))

    def edit(self):
        """After the scan."""
        files, dirs = self.all_files(), self.all_dirs()
        what = self.rng.choice(['new', 'change', 'remove', 'newdir', 'symlink', 'forbid'])
        if what == 'new':
            self.write(self.free(self.rng.choice(dirs)))
        elif what == 'change' and files:
            f = self.rng.choice(files)
            if os.access(f, os.W_OK):
                with open(f, 'a') as o:
                    o.write('!')
                self.note('change', repr(f))
        elif what == 'remove' and files:
            f = self.rng.choice(files)
            os.unlink(f)
            self.note('remove', repr(f))
        elif what == 'newdir':
            d = self.free(self.rng.choice(dirs))
            os.mkdir(d)
            self.write(os.path.join(d, 'n'))
        elif what == 'symlink':
            self.symlink()
        elif what == 'forbid' and len(dirs) > 1:
            d = self.rng.choice(dirs[1:])
            os.chmod(d, 0)
            self.note('forbid', repr(d))

    def left_out(self, name, size):
        return {'--no-hidden': name.startswith('.'), '--exclude': name.startswith('x'), '--max-size': size > 3}.get((*self.options, '')[0], False)

    def index(self):
        """The paths that a scan has met: of directories None; of files inode, times and content (None: unread)."""
        known = {}
        for d, subs, files in os.walk(self.top):
            known[d] = None
            subs[:] = [s for s in subs if not self.left_out(s, 0)]
            for n in files:
                path = os.path.join(d, n)
                st = os.lstat(path)
                if not stat.S_ISREG(st.st_mode) or self.left_out(n, st.st_size):
                    continue
                content = None
                if os.access(path, os.R_OK):
                    with open(path, 'rb') as f:
                        content = f.read()
                known[path] = ((st.st_dev, st.st_ino), (st.st_size, st.st_mtime_ns, st.st_ctime_ns), content, st.st_nlink)
        sizes = [was[1][0] for was in {was[0]: was for was in known.values() if was}.values()]
        for path, was in known.items():
            # A file whose size is its own is not read: nobody knows that it can't be.
            if was is not None and was[2] is None and (was[1][0] == 0 or sizes.count(was[1][0]) == 1):
                known[path] = (was[0], was[1], b'-' * was[1][0], was[3])
        return known

    def refused(self, args, dirs=(), exclude=(), **_):
        """Whether a question is about what it leaves out, which the program must refuse."""
        if not any(below(d, x) for d in dirs for x in exclude):
            return False
        told = self.run(*args, want=(2,)).stderr.decode()
        assert '--exclude-path leaves out' in told, told
        return True

    def ask(self, world, **kw):
        options = [o for name, flag in (('exclude', '-x'), ('inside', '--in'), ('protect', '--protect'))
                   for d in kw.get(name, ()) for o in (flag, d)] + \
            ['--copies', str(kw.get('copies'))] * ('copies' in kw) + ['--include-hidden'] * kw.get('hidden', False) + ['--outside-links'] * kw.get('links', False)
        args = ['redundant', '--json', *options, '--', *kw.get('dirs', ())]
        if self.refused(args, **kw):
            return None
        doc = json.loads(self.run(*args).stdout.decode())
        q = Question(world, **kw)
        want = q.answer()
        almost = [o for o in doc['trees'] if o['state'] == 'all-but']
        doc['trees'] = doc['trees'][:len(doc['trees']) - len(almost)]
        got = [(path_of(o), o['state']) for o in doc['trees']]
        if world.mixed:
            # The answer may be more careful than it has to be: what goes can go.
            q.going = [d for d, state in got if state == 'redundant']
            if any(not q.judged(d) for d in q.going) or q.lost(q.going) or not q.asked and any(q.live(d, q.going) for d in q.going):
                raise seeds.Disagreement('%s\n  says   %s\n  loses  %s' % (args[2:], sorted(got), [n.path for n in q.lost(q.going)]))
            return q
        if sorted(got) != sorted(want):
            raise seeds.Disagreement('%s\n  says   %s\n  is     %s\n  gaps   %s' % (args[2:], sorted(got), sorted(want), world.gaps))
        for o in doc['trees']:
            self.check(q, o)
        could = [f for f in q.almost() if os.path.lexists(f[0])]
        said = [(path_of(o), o['missing'], o['bytes']) for o in almost]
        # Of equals that do not all fit any may be told.  Links that a look has not found again never count.
        if not q.links and (sorted(s[:2] for s in said if len(could) <= 5) != sorted(f[:2] for f in could if len(could) <= 5) or
                                          not {s[:2] for s in said} <= {f[:2] for f in could} or len(said) != min(5, len(could))):
            raise seeds.Disagreement('%s\n  says of all but %s\n  is              %s' % (args[2:], said, could))
        totals = doc['totals']
        assert totals['dirs'] == len(q.going), (totals, q.going)
        null = self.run('redundant', '-0', *options, '--', *kw.get('dirs', ())).stdout.decode('utf-8', 'surrogateescape')
        assert sorted(null.split('\0')[:-1]) == sorted(q.going), (null, q.going)
        return q

    def check(self, q, o):
        d = path_of(o)
        assert (o['files'], o['bytes'], o['frees']) == q.sums(d), (o, q.sums(d))
        assert sum(p['files'] for p in o['also_in']) + o['elsewhere'] + o['outside'] + o['unseen'] == o['files'], o
        own = [n for n in q.names if below(n.path, d)]
        gone = q.going if o['state'] == 'redundant' else [d]
        for p in o['also_in']:
            place = path_of(p)
            there = [n for n in q.names if below(n.path, place) and not any(below(n.path, g) for g in gone) and
                     q.keeps(n) and (not p.get('direct') or os.path.dirname(n.path) == place)]
            assert 0 < p['files'] <= len(own) - len(q.without(own, there)), (o, p)
            assert p.get('direct') or not below(d, place), (o, p)
        assert o['links'] == sum(below(p, d) and why in LINKS for p, why in q.w.gaps), o

    def play(self):
        self.options = self.rng.choice([[], [], [], ['--no-hidden'], ['--exclude', 'x*'], ['--max-size', '3']])
        self.make()
        # What can't be read is one difficulty, links that are scanned in parts another.
        parts = self.rng.random() < 0.4 and not self.options
        if self.rng.random() < 0.3 and not parts:
            self.forbid()
        self.run('scan', '-q', '--racy-window', '0s', *self.options, self.top, want=(0, 1, 3))
        indexed = self.index()
        for _ in range(self.rng.choice([1, 1, 2]) * parts):
            self.part(indexed)
        for _ in range(self.rng.choice([0, 0, 1, 3])):
            self.edit()
        world = World(self.top, indexed, self.again)
        dirs = [d for d in sorted(world.dirs) if d in indexed]
        some = lambda: [self.rng.choice(dirs)]  # noqa: E731
        q = self.ask(world)
        self.ask(world, dirs=self.rng.choice([some(), ()]), hidden=self.rng.random() < 0.5, links=self.rng.random() < 0.5)
        self.ask(world, **{self.rng.choice(['exclude', 'inside', 'protect']): some(), 'dirs': self.rng.choice([some(), ()]), 'links': self.rng.random() < 0.3})
        self.ask(world, copies=self.rng.choice([2, 2, 3]), dirs=self.rng.choice([some(), ()]), hidden=self.rng.random() < 0.5,
                 links=self.rng.random() < 0.3, inside=self.rng.choice([some(), (), ()]))
        self.indexed = indexed
        self.risks(world, dirs=self.rng.choice([some(), ()]), **self.rng.choice([
            {}, {'exclude': some()}, {'inside': some()}, {'inside': some() + some()}, {'one_volume': True}, {'min_size': 2},
            {'newer': True}, {'newer': True, 'inside': some()}]))
        self.remove(q)

    def contents(self):
        found = set()
        for d, _, names in os.walk(self.dir):
            for n in names:
                path = os.path.join(d, n)
                if n != 'db' and not n.startswith('db-') and stat.S_ISREG(os.lstat(path).st_mode) and os.access(path, os.R_OK):
                    with open(path, 'rb') as f:
                        found.add(f.read())
        return found

    def risks(self, world, dirs=(), exclude=(), inside=(), one_volume=False, min_size=0, newer=False):
        """Ask what is at risk."""
        options = [o for flag, v in (('-x', exclude), ('--in', inside)) for d in v for o in (flag, d)]
        options += ['--one-volume'] * one_volume + ['--min-size', str(min_size)] * (min_size > 0)
        options += ['--newer', '2015-01-01'] * newer
        args = ['at-risk', *options, '--', *dirs]
        if self.refused(args, dirs, exclude) or any(below(i, o) and i != o for i in inside for o in inside):
            # That a directory was named counts no more where one above it is named, too.
            return
        names, unseen = ([n for n in v if not any(below(n.path, x) for x in exclude)] for v in (world.names, world.unseen))
        unread = {was[1][0] for p, was in self.indexed.items() if was and was[2] is None and not any(below(p, x) for x in exclude)}
        asked = [n for n in names if (not dirs or any(below(n.path, d) for d in dirs)) and len(n.content) >= min_size and
                 not (newer and os.lstat(n.path).st_mtime == OLD) and
                 # What has no copy there is asked of what lies elsewhere.
                 (dirs or not any(below(n.path, i) for i in inside))]

        def copy(n, of):
            """Whether n is another copy than of: a hard link is none."""
            return n.content == of.content and n.inode != of.inode and n.why(inside) <= of.why() and (any(below(n.path, i) for i in inside) if inside else not one_volume)
        mixed = world.mixed
        safe = {n.path for n in asked if any(copy(o, n) and o.inode not in mixed for o in names)}
        unsure = {n.path for n in asked if n.path not in safe and
                  (n.inode in mixed or len(n.content) in unread or any(copy(o, n) for o in unseen + [m for m in names if m.inode in mixed]))}
        risky = {n.path: n for n in asked if n.path not in safe | unsure}
        got = self.run(*args[:1], '-0', *args[1:]).stdout.decode('utf-8', 'surrogateescape').split('\0')[:-1]
        # Where links were scanned in parts what is not sure may be called at risk, too.
        got = [p for p in got if p not in unsure or not mixed]
        if sorted(got) != sorted(risky):
            raise seeds.Disagreement('%s\n  says   %s\n  is     %s' % (args, sorted(got), sorted(risky)))
        if mixed:
            return
        doc = json.loads(self.run(*args[:1], '--json', *args[1:]).stdout.decode())
        covered = []
        for o in doc['trees']:
            d, whole = path_of(o), o['state'] == 'at-risk'
            there = [n.path for n in asked if (below(n.path, d) if whole else os.path.dirname(n.path) == d)]
            mine = [p for p in there if p in risky]
            assert (o['files'], o['of']) == (len(mine), len(there)), (args, o, mine, there)
            assert o['bytes'] == sum({risky[p].inode: len(risky[p].content) for p in mine}.values()), (o, mine)
            up = os.path.dirname(d)
            assert min_size or newer or not whole or d in (dirs or [self.top]) or any(below(n.path, up) and n.path not in risky for n in asked), o
            covered += mine
        assert sorted(covered) == sorted(risky), (covered, risky)
        assert doc['totals']['files'] == len(risky), doc['totals']
        assert doc['totals']['bytes'] == sum({n.inode: len(n.content) for n in risky.values()}.values()), doc['totals']

    def remove(self, q):
        before = self.contents() - {b''}
        for d in q.going:
            shutil.rmtree(d)
        lost = before - self.contents()
        assert not lost, (q.going, lost)
        gone = [n for n in q.names if not os.path.lexists(n.path)]
        lost = q.without(gone, [n for n in q.names if os.path.lexists(n.path)])
        assert not lost, (q.going, [n.path for n in lost])

    def close(self):
        for d, subs, _ in os.walk(self.dir):
            for s in subs:
                if not os.path.islink(os.path.join(d, s)):
                    os.chmod(os.path.join(d, s), 0o700)
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
