# SPDX-License-Identifier: MIT
"""compare and contained beside a plain computation, on random trees.

A seed (see seeds.py) makes two trees that share much, scans them, into one index or each into one
of its own, and perhaps edits them afterwards.  What compare says of every file, and contained of what
is missing, must follow from the bytes on the disk.
"""

import base64
import json
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import seeds  # noqa: E402

NOBODY = 65534
TAG, TAG_TEXT = b'CACHEDIR.TAG', b'Signature: 8a477f597d28d172789f06886806bc55'


def below(path, d):
    return path == d or path.startswith(d + b'/')


def path_of(o, key):
    return base64.b64decode(o[key + '_b64']) if key + '_b64' in o else None if o[key] is None else o[key].encode()


class File:
    """What is known of a file that was scanned."""

    def __init__(self, path):
        st = os.lstat(path)
        self.path, self.size, self.mode = path, st.st_size, st.st_mode
        self.inode = (st.st_dev, st.st_ino)
        with open(path, 'rb') as f:
            self.content = f.read()
        self.signature = self.stat()
        self.unread = self.unhashed = False

    def stat(self):
        try:
            st = os.lstat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return stat.S_ISREG(st.st_mode) and (st.st_ino, st.st_size, st.st_mtime_ns, st.st_ctime_ns)

    def gone(self):
        return self.stat() is None

    def changed(self):
        return not self.gone() and self.stat() != self.signature

    def known(self):
        return not self.changed() and not (self.unread and self.size > 0)


class Round:
    def __init__(self, program, seed):
        self.program, self.rng = os.fsencode(program), random.Random(seed)
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-compare.')))
        self.top = os.path.join(self.dir, b'top')
        self.told, self.withs = [], []
        self.user = {'user': NOBODY, 'group': NOBODY, 'extra_groups': []} if os.getuid() == 0 else {}
        os.chmod(self.dir, 0o777)
        for d in (b'a', b'b', b'c'):
            os.makedirs(os.path.join(self.top, d))

    def run(self, *args):
        p = subprocess.run([self.program, b'--db', os.path.join(self.dir, b'state', b'db'), *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=self.top, **self.user)
        self.told.append('twindex %s -> %d' % (b' '.join(args).decode(errors='replace'), p.returncode))
        return p

    def name(self):
        return self.rng.choice([b'x', b'y', b'z', b'w', b'v', b'.h', b'n\xff', b'n\nl', b'long' * 9])

    def bytes(self):
        return self.rng.choice([b'', b'A', b'B', b'CC', b'DD', b'EEE', b'F' * 70000 + b'%d' % self.rng.randrange(3),
                                b'%d' % self.rng.randrange(10 ** self.rng.randrange(1, 5))])

    def dirs(self, top):
        return [d for d, _, _ in os.walk(top)]

    def files(self, top):
        return [os.path.join(d, n) for d, _, names in os.walk(top) for n in names if not os.path.islink(os.path.join(d, n))]

    def write(self, path):
        if not os.path.lexists(path):
            with open(path, 'wb') as f:
                f.write(self.bytes())

    def edit(self, top):
        """Do something to a tree."""
        d = self.rng.choice(self.dirs(top))
        files = self.files(top)
        path = os.path.join(d, self.name())
        do = self.rng.randrange(8)
        if do < 3 or not files:
            self.write(path)
        elif do == 3:
            if not os.path.lexists(path):
                os.mkdir(path)
                self.write(os.path.join(path, self.name()))
        elif do == 4 and not os.path.lexists(path):
            os.rename(self.rng.choice(files), path)
        elif do == 5 and not os.path.lexists(path):
            os.link(self.rng.choice(files + self.files(self.top)), path)
        elif do == 6 and not os.path.lexists(path):
            self.rng.choice([lambda: os.symlink(b'x', path), lambda: shutil.copy(self.rng.choice(files), path)])()
        else:
            os.unlink(self.rng.choice(files))

    def cache(self):
        """A directory becomes a cache, or what it has gets copies in one."""
        d = self.rng.choice(self.dirs(self.top)[1:])
        if self.rng.random() < 0.5:
            with open(os.path.join(d, TAG), 'wb') as f:
                f.write(TAG_TEXT)
        else:
            to = os.path.join(self.rng.choice(self.dirs(self.top)[1:]), b'.cache')
            if not os.path.lexists(to) and not below(to, d):
                shutil.copytree(d, to, symlinks=True)

    def caches(self, path):
        """The caches that it lies in, as far as scans have met their tags."""
        found, d = set(), os.path.dirname(path)
        while below(d, self.top):
            if os.path.basename(d) == b'.cache' or os.path.join(d, TAG) in self.scanned:
                found.add(d)
            d = os.path.dirname(d)
        return found

    def lasts(self, f, g, b):
        """Whether f may rely on g, which B was asked for: what B names, or what holds it, was meant."""
        of_g = self.caches(g.path)
        return all(any(below(b, n) and below(d, n) for n in of_g) for d in of_g) or bool(self.caches(f.path))

    def part(self):
        """Links of a directory, perhaps a change through one of them, and a scan of these links alone."""
        d = self.rng.choice(self.dirs(self.top)[1:])
        to = os.path.join(self.rng.choice(self.dirs(self.top)[1:]), b'part')
        if os.path.lexists(to) or below(to, d):
            return
        shutil.copytree(d, to, symlinks=True, copy_function=os.link)
        files = [f for f in self.files(to) if os.lstat(f).st_size > 0]
        if files and self.rng.random() < 0.4:
            path = self.rng.choice(files)
            with open(path, 'r+b') as f:
                f.write(b'#')
            self.told.append('change %r' % path)
        self.scan(True, to)
        self.meet(to)

    def meet(self, top, hidden=True):
        """What a scan of this directory has met."""
        met = {path: File(path) for path in self.files(top) if hidden or b'/.' not in path}
        self.scanned.update(met)
        self.scanned_dirs |= {d for d in self.dirs(top) if hidden or b'/.' not in d}
        sizes = {}
        for f in self.scanned.values():
            sizes.setdefault(f.size, set()).add(f.inode)
        for f in met.values():
            # A file whose size no other has is never read.
            f.unhashed = len(sizes[f.size]) == 1
            f.unread = self.user != {} and not f.mode & 0o004 and f.size > 0 and not f.unhashed
            if self.user and not f.mode & 0o004 and f.unhashed:
                f.content = b'no other of size %d' % f.size

    def make(self):
        a, b, c = (os.path.join(self.top, d) for d in (b'a', b'b', b'c'))
        for _ in range(self.rng.randrange(12)):
            self.edit(a)
        if self.rng.random() < 0.8:
            os.rmdir(b)
            subprocess.run([b'cp', b'-a', a, b], check=True)
        for _ in range(self.rng.randrange(8)):
            self.edit(self.rng.choice([a, b, b, c]))
        self.two = self.rng.random() < 0.4
        if self.two:
            return
        if self.rng.random() < 0.3:
            self.cache()
        if self.rng.random() < 0.2:
            os.rename(b, os.path.join(a, b'b'))
        if self.user and self.rng.random() < 0.4:
            files = self.files(self.top)
            for path in self.rng.sample(files, min(len(files), 2)):
                os.chmod(path, 0)

    def gaps(self, d, but):
        """Whether something of a tree can't be judged, apart from the files that were scanned."""
        there = [p for p in self.files(d) + self.dirs(d) if but is None or not (p + b'/').startswith(but + b'/')]
        return any(path not in self.scanned and path not in self.scanned_dirs for path in there)

    def side(self, d, but):
        return {os.path.relpath(p, d): f for p, f in self.scanned.items()
                if p.startswith(d + b'/') and not (but is not None and p.startswith(but + b'/')) and not f.gone()}

    def pair(self, f, g):
        if f.changed() or g.changed():
            return 'unknown'
        if f.size != g.size:
            return 'different'
        if f.size == 0 or f.inode == g.inode:
            return 'same'
        if not f.known() or not g.known():
            return 'unknown'
        return 'same' if f.content == g.content else 'different'

    def single(self, f, other, only, top):
        if not f.known():
            return 'unknown'
        if f.size == 0:
            return only
        # What lies only where it may go by itself is missing.
        if any(g.known() and g.content == f.content and self.lasts(f, g, top) for g in other.values()):
            return 'moved'
        return 'unknown' if any(g.unread and not g.changed() and g.size == f.size for g in other.values()) else only

    def check(self, a, b, *options):
        left = self.side(a, b if b.startswith(a + b'/') else None)
        right = self.side(b, a if a.startswith(b + b'/') else None)
        want_l = {r: self.pair(f, right[r]) if r in right else self.single(f, right, 'only-left', b) for r, f in left.items()}
        want_r = {r: self.pair(left[r], f) if r in left else self.single(f, left, 'only-right', a) for r, f in right.items()}
        p = self.run(b'compare', b'--json', b'--same', b'--moved', b'--different', b'--only-left', b'--only-right', *options,
                     *self.withs, b'--', a, b)
        doc = json.loads(p.stdout.decode())
        got_l, got_r, moved = {}, {}, []
        for o in doc['pairs']:
            l, r = path_of(o, 'left'), path_of(o, 'right')
            l = l and os.path.relpath(l, a)
            r = r and os.path.relpath(r, b)
            if o['class'] == 'moved':
                if l == r or left[l].content != right[r].content:
                    raise seeds.Disagreement('%r is not %r moved' % (r, l))
                moved.append((l, r))
                continue
            if l is not None and r is not None and l != r:
                raise seeds.Disagreement('%r %s %r' % (l, o['class'], r))
            got_l.update({l: o['class']} if l is not None else {})
            got_r.update({r: o['class']} if r is not None else {})
        self.moved(want_l, want_r, left, right, moved)
        for l, r in moved:
            if want_l[l] == 'moved':
                got_l[l] = 'moved'
            if want_r[r] == 'moved':
                got_r[r] = 'moved'
        for want, got, which in ((want_l, got_l, 'left'), (want_r, got_r, 'right')):
            want_listed = {r: c for r, c in want.items() if c != 'unknown'}
            if got != want_listed:
                raise seeds.Disagreement('%s: %r instead of %r' % (which, got, want_listed))
            sums = {c: [0, 0] for c in doc['totals'][which] if c not in ('missing', 'empty')}
            for r, c in want.items():
                sums[c][0] += 1
                sums[c][1] += (left if which == 'left' else right)[r].size
            if not any(f.changed() for f in (*left.values(), *right.values())):
                said = {c: [doc['totals'][which][c]['files'], doc['totals'][which][c]['bytes']] for c in sums}
                if said != sums:
                    raise seeds.Disagreement('%s: %r instead of %r' % (which, said, sums))
        classes = {*want_l.values(), *want_r.values()}
        gap = any(not f.known() for f in (*left.values(), *right.values())) or \
            self.gaps(a, b if b.startswith(a + b'/') else None) or self.gaps(b, a if a.startswith(b + b'/') else None)
        want = 3 if 'unknown' in classes or gap else 1 if classes - {'same'} else 0
        if p.returncode != want:
            raise seeds.Disagreement('status %d instead of %d: %s' % (p.returncode, want, p.stderr.decode(errors='replace')))

    def is_missing(self, f, other, b):
        """Whether a file is not in the other side, True or False; None: that is not known."""
        if f.size == 0:
            return False
        everywhere = other
        other = {r: g for r, g in other.items() if self.lasts(f, g, b)}
        if f.known() and any(g.known() and g.content == f.content for g in other.values()):
            return False
        # What could not be read may be a copy, wherever it lies.
        unread = {g.inode for g in self.scanned.values() if g.unread}
        doubtful = not f.known() or any(g.inode in unread and g.size == f.size for g in everywhere.values())
        # Of what has changed only its hash tells what it held, if it was read.
        return None if doubtful or any(g.changed() and g.size == f.size and (g.unhashed or g.content == f.content)
                                                for g in other.values()) else True

    def contained(self, a, b):
        in_b, in_a = a if a.startswith(b + b'/') else None, b if b.startswith(a + b'/') else None
        left, right = self.side(a, in_a), self.side(b, in_b)
        # One that could not be read, and is gone, still makes those of its size doubtful.
        lost = {f.size for p, f in self.scanned.items() if below(p, b) and f.unread and f.gone()}
        missing = {r: None if f.size in lost else self.is_missing(f, right, b) for r, f in left.items()}
        want = sorted(r for r, m in missing.items() if m)
        p = self.run(b'contained', b'-0r', *self.withs, b'--', a, b)
        if sorted(p.stdout.split(b'\0')[:-1]) != want:
            raise seeds.Disagreement('missing: %r instead of %r' % (p.stdout, want))
        of_b = self.gaps(b, in_b) or any(not f.known() for f in right.values())
        of_a = self.gaps(a, in_a) or None in missing.values() or any(f.changed() for f in left.values())
        status = (3 if of_b else 1) if want else 3 if of_a else 0
        # A link in B is enough; where another copy has changed the program does not say so.
        careful = any(f.known() and not any(g.known() and g.content == f.content and g.inode != f.inode for g in right.values()) and
                      any(g.changed() and g.size == f.size for g in self.scanned.values()) for f in left.values())
        if p.returncode != status and not (careful and (status, p.returncode) == (0, 3)):
            raise seeds.Disagreement('contained: status %d instead of %d: %s' % (p.returncode, status, p.stderr.decode(errors='replace')))

    def moved(self, want_l, want_r, left, right, moved):
        """Of each content as many pairs as the side with more of it has, and each name in one."""
        contents = {left[r].content for r, c in want_l.items() if c == 'moved'} | \
                   {right[r].content for r, c in want_r.items() if c == 'moved'}
        for content in contents:
            ls = {r for r, c in want_l.items() if c == 'moved' and left[r].content == content}
            rs = {r for r, c in want_r.items() if c == 'moved' and right[r].content == content}
            pairs = [(l, r) for l, r in moved if left[l].content == content]
            if len(pairs) != max(len(ls), len(rs)) or not ls <= {l for l, _ in pairs} or not rs <= {r for _, r in pairs}:
                raise seeds.Disagreement('moved: %r of %r and %r' % (pairs, ls, rs))

    def scan(self, hidden, *args):
        p = self.run(b'scan', b'--racy-window', b'0s', *([] if hidden else [b'--no-hidden']), *args)
        if p.returncode not in (0, 3):
            raise seeds.Disagreement(p.stderr.decode())

    def play(self):
        hidden = self.rng.random() < 0.8
        os.mkdir(os.path.join(self.dir, b'state'))
        os.chmod(os.path.join(self.dir, b'state'), 0o777)
        self.make()
        self.scan(hidden, *([b'a', b'c'] if self.two else [self.top]))
        if self.two:
            db, other = (os.path.join(self.dir, b'state', n) for n in (b'db', b'other'))
            hash_all = self.rng.random() < 0.3
            self.scan(hidden, b'--db', other, b'--secret-from', db, *[b'--hash-all'] * hash_all, b'b')
            self.withs = [b'--with', other]
        self.scanned, self.scanned_dirs = {}, set()
        self.meet(self.top, hidden)
        if not self.two and hidden and self.rng.random() < 0.3:
            self.part()
        if self.two:
            # Each index has read what shares its size with another inode of its own.
            b = os.path.join(self.top, b'b/')
            for right in (False, True):
                mine = [f for f in self.scanned.values() if f.path.startswith(b) == right]
                for f in mine:
                    f.unhashed = not (right and hash_all) and not any(g.size == f.size and g.inode != f.inode for g in mine)
        a = os.path.join(self.top, b'a')
        b = os.path.join(a if os.path.isdir(os.path.join(a, b'b')) else self.top, b'b')
        self.check(a, b)
        self.check(b, a)
        self.check(b, self.top)
        self.contained(a, b)
        if not self.two:
            self.contained(b, self.top)
        for _ in range(self.rng.choice([0, 1, 3])):
            self.edit(self.rng.choice([a, b]))
        if os.path.isdir(a) and os.path.isdir(b):
            self.check(a, b)
            self.contained(a, b)

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
