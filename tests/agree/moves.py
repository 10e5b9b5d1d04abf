# SPDX-License-Identifier: MIT
"""moves on random trees: its renames are done, and the trees compared.

A seed (see seeds.py) makes a tree, a mirror of it, and moves files of the first.  The script of moves runs
in a shell on links of the mirror, and its steps are done here on others: both must come to the same
tree, with every name's content still there; with what is copied it has all files of the first tree.
"""

import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from compare import path_of  # noqa: E402

SHELL = next((s for s in ('/bin/dash', '/usr/bin/dash') if os.path.exists(s)), '/bin/sh')


def is_file(path):
    return os.path.isfile(path) and not os.path.islink(path)


class Round:
    def __init__(self, program, seed):
        self.program, self.rng = os.fsencode(program), random.Random(seed)
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-moves.')))
        self.a, self.b = os.path.join(self.dir, b'a'), os.path.join(self.dir, b'b')
        self.told = []
        os.mkdir(self.a)

    def run(self, *args):
        p = subprocess.run([self.program, b'--db', os.path.join(self.dir, b'db'), *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=self.dir)
        self.told.append('twindex %s -> %d' % (b' '.join(args).decode(errors='replace'), p.returncode))
        return p

    def name(self):
        return self.rng.choice([b'x', b'y', b'z', b'X', b'w', b'-n', b'.h', b"it's", b'a b', b'n\xff', b'n\nl', b'e\n', b'$x`', b'\\n', b'*'])

    def bytes(self):
        return self.rng.choice([b'', b'A', b'B', b'CC', b'DD', b'EE', b'FFF', b'%d' % self.rng.randrange(10 ** self.rng.randrange(1, 5))])

    def dirs(self, top):
        return [d for d, _, _ in os.walk(top)]

    def files(self, top):
        return [os.path.join(d, n) for d, _, names in os.walk(top) for n in names if is_file(os.path.join(d, n))]

    def tree(self, top):
        """Every file's content by its path, and the directories."""
        found = {}
        for path in self.files(top):
            with open(path, 'rb') as f:
                found[os.path.relpath(path, top)] = f.read()
        return found

    def place(self, top):
        return os.path.join(self.rng.choice(self.dirs(top)), self.name())

    def write(self, path):
        if not os.path.lexists(path):
            with open(path, 'wb') as f:
                f.write(self.bytes())

    def swap(self, top):
        """The paths of some files, or directories that do not lie in one another, go round."""
        paths = self.files(top) if self.rng.random() < 0.7 else self.files(top) + self.dirs(top)[1:]
        some = self.rng.sample(paths, min(len(paths), self.rng.randrange(2, 5)))
        some = [p for p in some if not any(q != p and (p + b'/').startswith(q + b'/') for q in some)]
        for i, path in enumerate(some):
            os.rename(path, os.path.join(top, b'tmp%d' % i))
        for i in range(len(some)):
            os.rename(os.path.join(top, b'tmp%d' % i), some[(i + 1) % len(some)])

    def edit(self, top):
        files, path = self.files(top), self.place(top)
        do = self.rng.randrange(12)
        if do < 2 or not files:
            self.write(path)
        elif do == 2 and not os.path.lexists(path):
            os.mkdir(path)
            self.write(os.path.join(path, self.name()))
        elif do < 6 and not os.path.lexists(path):
            old = self.rng.choice(files + self.dirs(top)[1:])
            if not (path + b'/').startswith(old + b'/'):
                os.rename(old, path)
        elif do == 6:
            self.swap(top)
        elif do == 7 and not os.path.lexists(path):
            self.rng.choice([os.link, shutil.copy])(self.rng.choice(files), path)
        elif do == 8:
            # A file becomes a directory, or one with all in it a file.
            old = self.rng.choice(files + self.dirs(top)[1:])
            to = os.path.join(top, b'was')
            if not os.path.lexists(to):
                os.rename(old, to)
                if os.path.isdir(to):
                    self.write(old)
                else:
                    os.mkdir(old)
                    self.write(os.path.join(old, self.name()))
        elif do > 9 and not os.path.lexists(path) and len(self.dirs(top)) > 1:
            old = self.rng.choice(self.dirs(top)[1:])
            if not (path + b'/').startswith(old + b'/'):
                os.rename(old, path)
        elif do == 9:
            os.unlink(self.rng.choice(files))

    def links_of(self, name):
        """The mirror once more, of the same inodes."""
        to = os.path.join(self.dir, name)
        shutil.copytree(self.b, to, symlinks=True, copy_function=os.link)
        return to

    def done_here(self, top, steps):
        for s in steps:
            old, new = (os.path.join(top, path_of(s, k)) for k in ('from', 'to'))
            if os.path.lexists(new):
                raise seeds.Disagreement('%r is taken when %r comes' % (new, old))
            if os.path.islink(old) or os.path.isdir(old) != (s['size'] is None):
                raise seeds.Disagreement('%r is not what it was to be' % old)
            os.makedirs(os.path.dirname(new), exist_ok=True)
            os.rename(old, new)

    def shell(self, script, top, want):
        p = subprocess.run([SHELL, script, top], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=self.dir)
        if p.returncode not in want:
            raise seeds.Disagreement('the script ends with %d: %s' % (p.returncode, p.stdout.decode(errors='replace')))

    def copy(self, top, copies, links):
        """What rsync does: files are replaced, and links, but no directory."""
        for path in copies:
            to = os.path.join(top, path)
            if links and any(os.path.islink(os.path.join(top, *path.split(b'/')[:i])) for i in range(1, path.count(b'/') + 2)):
                continue
            os.makedirs(os.path.dirname(to), exist_ok=True)
            if os.path.lexists(to):
                os.unlink(to)
            shutil.copy(os.path.join(self.a, path), to)

    def most(self, doc, a, b):
        """As many renames as contents allow."""
        wanted = collections.Counter(c for p, c in a.items() if c and b.get(p) != c)
        spare = collections.Counter(c for p, c in b.items() if c and a.get(p) != c)
        return sum((wanted & spare).values())

    def check(self, links):
        doc = json.loads(self.run(b'moves', b'--json', b'a', b'b').stdout)
        copies = self.run(b'moves', b'--copy', b'-0', b'a', b'b').stdout.split(b'\0')[:-1]
        script = os.path.join(self.dir, b'script')
        with open(script, 'wb') as f:
            f.write(self.run(b'moves', b'--script', b'a', b'b').stdout)
        a, b = self.tree(self.a), self.tree(self.b)
        if copies != [path_of(o, 'path') for o in doc['copies']]:
            raise seeds.Disagreement('two lists of what is to be copied')
        if doc['renamed'] + doc['blocked'] != self.most(doc, a, b) and not links:
            raise seeds.Disagreement('%d renames, not %d' % (doc['renamed'], self.most(doc, a, b)))
        if doc['blocked'] and not links:
            raise seeds.Disagreement('something is blocked')
        if doc['exit'] != (3 if links and doc['exit'] == 3 else 1 if doc['steps'] or copies else 0):
            raise seeds.Disagreement('status %d' % doc['exit'])
        here, ran, cut = self.links_of(b'here'), self.links_of(b'ran'), self.links_of(b'cut')
        same = {p: os.lstat(os.path.join(self.b, p)).st_ino for p, c in b.items() if a.get(p) == c}
        self.done_here(here, doc['steps'])
        self.shell(script, ran, [0])
        want = self.tree(here)
        if self.tree(ran) != want:
            raise seeds.Disagreement('the script comes to %r, the steps to %r' % (self.tree(ran), want))
        if sorted(want.values()) != sorted(b.values()):
            raise seeds.Disagreement('contents are lost: %r were %r' % (want, b))
        if any(os.lstat(os.path.join(ran, p)).st_ino != i for p, i in same.items()):
            raise seeds.Disagreement('what has its path already is another file now')
        # Again, and one that was cut short.
        self.shell(script, ran, [0, 3])
        if self.tree(ran) != want:
            raise seeds.Disagreement('a second run comes to %r, not %r' % (self.tree(ran), want))
        self.done_here(cut, doc['steps'][:self.rng.randrange(len(doc['steps']) + 1)])
        self.shell(script, cut, [0, 3])
        if self.tree(cut) != want:
            raise seeds.Disagreement('what was cut short comes to %r, not %r' % (self.tree(cut), want))
        self.copy(ran, copies, links)
        now = self.tree(ran)
        if not links and {p: c for p, c in now.items() if p in a} != a:
            raise seeds.Disagreement('with what is copied it is %r, not %r' % (now, a))
        if not links:
            # A directory of the old layout is left only with something in it.
            for d, names, files in os.walk(ran):
                if not names and not files and not os.path.isdir(os.path.join(self.a, os.path.relpath(d, ran))) and \
                        not os.path.isdir(os.path.join(self.b, os.path.relpath(d, ran))):
                    raise seeds.Disagreement('an empty directory is left: %r' % d)

    def play(self):
        for _ in range(self.rng.randrange(1, 25)):
            self.edit(self.a)
        subprocess.run([b'cp', b'-a', self.a, self.b], check=True)
        for _ in range(self.rng.randrange(12)):
            self.edit(self.a)
        if self.rng.random() < 0.4:
            for _ in range(self.rng.randrange(4)):
                self.edit(self.b)
        links = False
        if self.rng.random() < 0.2:
            path = self.place(self.b)
            if not os.path.lexists(path):
                os.symlink(self.rng.choice([b'nowhere', b'.', self.a]), path)
                links = True
        p = self.run(b'scan', b'--racy-window', b'0s', self.a, self.b)
        if p.returncode != 0:
            raise seeds.Disagreement(p.stderr.decode())
        self.check(links)

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
