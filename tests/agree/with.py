# SPDX-License-Identifier: MIT
"""--with beside a plain computation, on random trees in two or three indexes.

A seed (see seeds.py) makes directories, scans each into some of the indexes, edits in between,
and asks one index with the others.  What is said of every file must follow from the bytes on the
disk and from which files each index has as they are.
"""

import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import seeds  # noqa: E402

# Two of one size, whatever comes: 70,000 bytes have a head.
CONTENTS = [b'', b'A', b'B', b'CC', b'DD', b'EEE', b'F' * 70000 + b'1', b'F' * 70000 + b'2', b'G' + b'F' * 70000]


def signature(path):
    try:
        st = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return st.st_ino, st.st_size, st.st_mtime_ns, st.st_ctime_ns


class Round:
    def __init__(self, program, seed):
        self.program, self.rng = os.fsencode(program), random.Random(seed)
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-with.')))
        self.told = []
        self.tops = [os.path.join(self.dir, b'w', d) for d in (b'p', b'q', b'r')]
        for d in self.tops:
            os.makedirs(os.path.join(d, b'sub'))
        self.dbs = [os.path.join(self.dir, b'i%d' % i) for i in range(self.rng.choice([2, 2, 3]))]
        self.has = [{} for _ in self.dbs]      # what each index says: path: signature
        self.roots = [set() for _ in self.dbs]

    def run(self, *args, want=(0,)):
        p = subprocess.run([self.program, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                           cwd=self.dir)
        self.told.append('twindex %s -> %d' % (b' '.join(args).decode(errors='replace'), p.returncode))
        if p.returncode not in want:
            raise seeds.Disagreement('status %d: %s' % (p.returncode, p.stderr.decode(errors='replace')))
        return p.stdout

    def files(self, *tops):
        return [os.path.join(d, n) for top in tops for d, _, names in os.walk(top) for n in names]

    def edit(self):
        top = self.rng.choice(self.tops)
        path = os.path.join(top, self.rng.choice([b'', b'sub']), self.rng.choice([b'a', b'b', b'c', b'd\xff']))
        files = self.files(*self.tops)
        do = self.rng.randrange(10)
        if do < 6 or not files:
            with open(path, 'wb') as f:
                f.write(self.rng.choice(CONTENTS))
            self.told.append('write %r' % path)
        elif do == 6 and not os.path.lexists(path):
            old = self.rng.choice(files)
            os.link(old, path)
            self.told.append('ln %r %r' % (old, path))
        elif do == 7 and not os.path.lexists(path):
            old = self.rng.choice(files)
            os.rename(old, path)
            self.told.append('mv %r %r' % (old, path))
        else:
            old = self.rng.choice(files)
            os.unlink(old)
            self.told.append('rm %r' % old)

    def scan(self, i):
        top = self.rng.choice(self.tops)
        secret = [b'--secret-from', self.dbs[0]] if i > 0 and not os.path.exists(self.dbs[i]) else []
        self.run(b'scan', b'--db', self.dbs[i], *secret, b'--racy-window', b'0s',
                 *([b'--hash-all'] if self.rng.random() < 0.2 else []), top)
        self.roots[i].add(top)
        # All its roots: of other rows a scan of one may drop or read again what it meets.
        self.run(b'scan', b'--db', self.dbs[i], b'--racy-window', b'0s')
        self.has[i] = {p: signature(p) for p in self.files(*self.roots[i])}

    def live(self, indexes, where=None):
        """Names that any of the indexes has as they are."""
        return {p for i in indexes for p, s in self.has[i].items()
                if signature(p) == s and (where is None or p.startswith(where + b'/'))}

    def check(self):
        order = list(range(len(self.dbs)))
        self.rng.shuffle(order)
        ask, others = order[0], order[1:1 + self.rng.randrange(1, len(order))]
        withs = [a for i in others for a in (b'--with', self.dbs[i])]
        where, without, options = None, None, []
        if self.rng.random() < 0.3:
            where = self.rng.choice(sorted(self.roots[ask] | self.roots[others[0]]))
            options = [b'--in', where]
        elif self.rng.random() < 0.4:
            without = os.path.join(self.rng.choice(sorted(self.roots[ask] | self.roots[others[0]])), self.rng.choice([b'', b'sub'])).rstrip(b'/')
            options = [b'-x', without]
        live = {p for p in self.live([ask, *others], where) if without is None or not p.startswith(without + b'/')}
        content = {p: open(p, 'rb').read() for p in self.live([ask, *others])}
        inode = {p: os.lstat(p).st_ino for p in content}
        stale = any(signature(p) not in (s, None) for i in (ask, *others) for p, s in self.has[i].items())
        self.report(ask, others, withs)
        verbose = [b'-v'] if self.rng.random() < 0.5 else []
        command = self.rng.choice([b'ls', b'file', b'dups', b'uniques']) if where is None else b'uniques'
        lists = {b'uniques': 'unique', b'dups': 'dup'}.get(command)
        for top in self.roots[ask]:
            doc = json.loads(self.run(command, b'--json', *verbose, *options, b'--db', self.dbs[ask], *withs, b'--', top,
                                      want=(0, 1, 3)).decode())
            said = {self.path(o): o for o in doc['files']}
            for p, s in self.has[ask].items():
                if not p.startswith(top + b'/'):
                    continue
                self.file(p, s, said.get(p), live, content, inode, stale, lists, bool(verbose))

    def report(self, ask, others, withs):
        """Sets that report --with tells: names of several indexes, of which those of ask could go."""
        across = self.rng.random() < 0.7
        of, contents = {}, {}
        for i in (ask, *others):
            for p in self.live([i]):
                of.setdefault(p, i)
        for p in of:
            with open(p, 'rb') as f:
                contents.setdefault(f.read(), []).append(p)
        want = []
        for content, names in contents.items():
            inodes = {}
            for p in names:
                inodes.setdefault(os.lstat(p).st_ino, []).append(p)
            indexes = {of[p] for p in names}
            if not content or len(inodes) < 2 or not (len(indexes) > 1 if across else ask in indexes):
                continue
            go = [v for v in inodes.values() if all(of[p] == ask for p in v) and os.lstat(v[0]).st_nlink == len(v)]
            free = len(go) - (len(go) == len(inodes))
            want.append((sorted((p, None if of[p] == ask else self.dbs[of[p]]) for p in names), free * len(content)))
        doc = json.loads(self.run(b'report', b'--json', *([b'--across'] if across else []), b'--db', self.dbs[ask], *withs).decode())
        got = [(sorted((self.path(m), m['index'].encode() if 'index' in m else None)
                       for m in s['members'] if m['kind'] in ('copy', 'link')), s['redundant']) for s in doc['sets']]
        if sorted(got, key=str) != sorted(want, key=str):
            raise seeds.Disagreement('report%s: %r instead of %r' % (' --across' if across else '', got, want))
        if doc['totals']['redundant'] != sum(n for _, n in want):
            raise seeds.Disagreement('report: %r redundant' % doc['totals'])

    @staticmethod
    def path(o):
        return base64.b64decode(o['path_b64']) if 'path_b64' in o else o['path'].encode()

    def file(self, p, s, o, live, content, inode, stale, lists, verbose):
        now = signature(p)
        if now != s or now[1] == 0:
            want = {'gone' if now is None else 'changed' if now != s else 'empty'}
        else:
            copies = {inode[q] for q in live if content[q] == content[p]} - {inode[p]}
            links = {q for q in live if inode[q] == inode[p]} - {p}
            want = {'dup'} if copies else {'linked'} if links else {'unique'}
            if stale and not copies:
                want.add('unknown')
            if o is not None and want == {'dup'} and o['copies'] != len(copies):
                raise seeds.Disagreement('%r has %d copies, not %d' % (p, len(copies), o['copies']))
            if o is not None and verbose and want == {'dup'}:
                self.members(p, o, live, content)
        state = o['state'] if o is not None else None
        if lists is not None:
            if not (state in want if state is not None else want != {lists}):
                raise seeds.Disagreement('%r: %s instead of %r' % (p, state, want))
        elif state not in want:
            raise seeds.Disagreement('%r: %s instead of %r' % (p, state, want))

    def members(self, p, o, live, content):
        got = [self.path(m) for m in o.get('members', []) if m['kind'] in ('copy', 'link')]
        want = sorted(q for q in live if content[q] == content[p] and q != p)
        if sorted(got) != want:
            raise seeds.Disagreement('%r: members %r instead of %r' % (p, sorted(got), want))

    def play(self):
        for _ in range(self.rng.randrange(4, 14)):
            self.edit()
        for i in range(len(self.dbs)):
            self.scan(i)
        for _ in range(3):
            for _ in range(self.rng.randrange(4)):
                self.edit()
            if self.rng.random() < 0.6:
                self.scan(self.rng.randrange(len(self.dbs)))
            self.check()

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
