# SPDX-License-Identifier: MIT
"""similar beside a plain computation, on random trees.

For a seed (see seeds.py) the pairs that the rules of the manual make of the files on the disk are
computed with sets, directory against directory, and compared with what the program prints.
"""

import base64
import csv
import io
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

COMMON = 8     # a content in more directories makes no pairs by itself


class Model:
    """The files below some roots as the index has them: names with inode and key of content."""

    def __init__(self, roots, by_name):
        self.files = []         # (path, inode, key)
        self.dirs = set()       # indexed
        self.relative = {}
        self.size = {}
        for root in roots:
            for d, subs, names in os.walk(root):
                self.dirs.add(d)
                for n in names:
                    p = os.path.join(d, n)
                    st = os.lstat(p)
                    if not stat.S_ISREG(st.st_mode) or st.st_size == 0:
                        continue
                    with open(p, 'rb') as f:
                        data = f.read()
                    self.files.append((p, (st.st_dev, st.st_ino), (data, n) if by_name else data))
        self.all = set()        # with the directories above
        for d in self.dirs:
            while d not in self.all:
                self.all.add(d)
                d = os.path.dirname(d)
        self.parent = {d: os.path.dirname(d) for d in self.all}
        self.order = sorted(self.all, key=lambda d: d.rstrip(b'/').split(b'/'))
        self.number = {d: i for i, d in enumerate(self.order)}
        self.inside = {d: [] for d in self.all}
        for f in self.files:
            d = os.path.dirname(f[0])
            while True:
                self.inside[d].append(f)
                if d == b'/':
                    break
                d = os.path.dirname(d)
        self.places = {}        # key: directories with a name of it, in order
        for p, _, key in self.files:
            self.places.setdefault(key, set()).add(os.path.dirname(p))
        self.places = {k: sorted(v, key=self.number.get) for k, v in self.places.items()}
        self.keys = {d: {f[2] for f in self.inside[d]} for d in self.all}
        self.bytes = {d: self.weigh(self.inside[d]) for d in self.all}
        self.core = {}
        for d in reversed(self.order):
            below = [s for s in self.all if self.parent[s] == d and s != d and len(self.inside[s]) == len(self.inside[d])]
            self.core[d] = self.core[below[0]] if below and self.inside[d] else d
        self.tree = {d: frozenset((os.path.relpath(f[0], d), f[2] if not by_name else f[2][0]) for f in self.inside[d])
                     for d in self.all}

    @staticmethod
    def length(key):
        return len(key[0]) if isinstance(key, tuple) else len(key)

    def weigh(self, files):
        return sum(self.length(key) for key in [k for _, k in {(i, k) for _, i, k in files}])

    def shared(self, a, b):
        """The files of a whose content is in b."""
        return [f for f in self.inside[a] if f[2] in self.keys[b]]

    def within(self, a, b):
        return self.weigh(self.shared(a, b))

    def below(self, d, top):
        return d == top or d.startswith(top.rstrip(b'/') + b'/')

    def joint(self, a, b):
        while not self.below(b, a):
            a = self.parent[a]
        return a

    def toward(self, top, d):
        while self.parent[d] != top:
            d = self.parent[d]
        return d


class Rules:
    """The pairs of directories by the words of the manual."""

    def __init__(self, model, operands, share, min_size, groups=None):
        """groups: of which index each operand is; only pairs between the first and others."""
        self.m, self.operands, self.share, self.min_size, self.groups = model, operands, share, min_size, groups
        self.tops = {}
        self.equals = {}
        self.speak()

    def enough(self, part, whole):
        return part > 0 and part * 100 >= self.share * whole

    def operand(self, d):
        inner = [o for o in self.operands if self.m.below(d, o)]
        return self.operands.index(max(inner, key=len)) if inner else len(self.operands)

    def top(self, operand, joint, d):
        m = self.m
        if operand == len(self.operands) or m.below(joint, self.operands[operand]):
            top = m.toward(joint, d)
        else:
            top = self.operands[operand]
        while top not in m.dirs:
            top = m.toward(top, d)
        return top

    def pair_of_tops(self, a, b):
        m, n = self.m, len(self.operands)
        joint = m.joint(a, b)
        x, y = self.operand(a), self.operand(b)
        if joint in (a, b) or (n == 1 and x == y == 1) or (n > 1 and (x == y or n in (x, y))):
            return None
        if self.groups and (self.groups[x] == self.groups[y] or 0 not in (self.groups[x], self.groups[y])):
            return None
        return self.top(x, joint, a), self.top(y, joint, b)

    def speak(self):
        m = self.m
        for dirs in m.places.values():
            pairs = list(zip(dirs, dirs[1:])) if len(dirs) > COMMON else \
                [(a, b) for i, a in enumerate(dirs) for b in dirs[i + 1:]]
            for a, b in pairs:
                tops = self.pair_of_tops(a, b)
                if tops:
                    self.tops.setdefault(tops, set())
        twins, same = {}, {}
        for d in m.order:
            if d not in m.dirs or not m.inside[d] or m.core[d] != d:
                continue
            twins.setdefault(m.tree[d], []).append(d)
            same.setdefault(frozenset(m.keys[d]), []).append(d)
        self.twins = {d: c for c in twins.values() for d in c}
        chains = [(a, b) for c in twins.values() for a, b in zip(c, c[1:])]
        for c in same.values():
            for i, a in enumerate(c):
                after = [b for b in c[i + 1:] if not m.below(b, a)]
                if after:
                    chains.append((a, after[0]))
        for a, b in chains:
            tops = self.pair_of_tops(a, b)
            if tops and m.below(a, tops[0]) and m.below(b, tops[1]):
                self.tops.setdefault(tops, set()).add((a, b))

    def considered(self, mine, theirs, keys, top):
        """Directories up to top that hold, of these contents, one that is not common, or a neighbour."""
        m, seen = self.m, set()
        for k in keys:
            places = m.places[k]
            for i, d in enumerate(places):
                near = [places[j] for j in (i - 1, i + 1) if 0 <= j < len(places)]
                if m.below(d, mine) and (len(places) <= COMMON or any(m.below(o, theirs) for o in near)):
                    seen.add(d)
        result = {top}
        for d in seen:
            while d != top:
                result.add(d)
                d = m.parent[d]
        return result

    def direction(self, a_top, b_top):
        m = self.m
        seen = self.considered(a_top, b_top, m.keys[a_top] & m.keys[b_top], a_top)
        children = {}
        for d in seen - {a_top}:
            children.setdefault(m.parent[d], []).append(d)
        within = {d: m.within(d, b_top) for d in seen}

        def gives_way(x, y):
            rest = m.bytes[x] - m.bytes[y]
            return rest > 0 and within[y] * 10 >= within[x] * 9 and not self.enough(within[x] - within[y], rest)

        def choose(x):
            below = children.get(x, [])
            if x in m.dirs and m.core[x] == x and self.enough(within[x], m.bytes[x]) and not any(gives_way(x, y) for y in below):
                return [x]
            return [c for y in below for c in choose(y)]

        for a in choose(a_top):
            for b in self.narrow(a, b_top):
                yield a, b

    def narrow(self, a, b_top):
        m = self.m
        keys = m.keys[a] & m.keys[b_top]
        everything = m.within(a, b_top)
        places = [d for k in keys for d in m.places[k] if m.below(d, b_top)]
        start = places[0]
        for d in places:
            start = m.joint(start, d)
        children = {}
        for d in self.considered(b_top, a, keys, start) - {start}:
            children.setdefault(m.parent[d], []).append(d)

        def holds(y):
            part = m.within(a, y)
            if everything == m.bytes[a]:
                return part == everything
            return part * 10 >= everything * 9 and self.enough(part, m.bytes[a])

        def descend(x):
            lower = []
            for y in children.get(x, []):
                rest = m.bytes[x] - m.bytes[y]
                if holds(y) and rest > 0 and not self.enough(m.within(x, a) - m.within(y, a), rest):
                    lower.append(y)
            return [b for y in lower for b in descend(y)] if lower else [x]

        for b in descend(start):
            b = m.core[b]
            while b not in m.dirs:
                b = m.parent[b]
            yield b

    def qualities(self, pair):
        a, b = pair
        return {side for side, x, y in (('left', a, b), ('right', b, a)) if self.enough(self.m.within(x, y), self.m.bytes[x])}

    def kind_of(self, d):
        return self.twins[d][0] if d in self.twins else d

    def are_twins(self, pair):
        return self.kind_of(pair[0]) == self.kind_of(pair[1])

    def fold(self, found):
        m = self.m
        found = {p: self.qualities(p) for p in found}
        folded = set()
        for low in found:
            for high in found:
                if low == high or not (m.below(low[0], high[0]) and m.below(low[1], high[1])):
                    continue
                if found[low] <= found[high]:
                    folded.add(low)
        return [p for p in found if p not in folded]

    def pairs(self):
        m = self.m
        result = []
        for (a, b), equals in self.tops.items():
            found = set(equals) | set(self.direction(a, b)) | {(x, y) for y, x in self.direction(b, a)}
            for p in self.fold(found):
                if self.weight(p) >= max(self.min_size, 1):
                    result.append(p)
        turned = []
        for a, b in result:
            x, y = self.operand(a), self.operand(b)
            turned.append((a, b) if (x, m.number[a]) < (y, m.number[b]) else (b, a))
        turned.sort(key=lambda p: (-self.weight(p), m.number[p[0]], m.number[p[1]]))
        kinds, kept = set(), []
        for p in turned:
            kind = frozenset(self.kind_of(d) for d in p)
            if kind not in kinds:
                kinds.add(kind)
                kept.append(p)
        return kept

    def weight(self, p):
        return sum(map(self.m.length, self.m.keys[p[0]] & self.m.keys[p[1]]))

    def others(self, d, *known, unjudged=lambda d: 0):
        return [t for t in self.twins.get(d, []) if t != d and t not in known and not unjudged(t) and (len(self.operands) < 2 or self.operand(t) < len(self.operands))]

    def answer(self, p, unjudged=lambda d: 0):
        m = self.m
        sides = []
        for x, y in (p, p[::-1]):
            shared = m.shared(x, y)
            sides.append((x, len(m.inside[x]), m.bytes[x], len(shared), m.weigh(shared), len(self.others(x, y, unjudged=unjudged))))
        left, right = sides[0][1] == sides[0][3], sides[1][1] == sides[1][3]
        kind = 'twins' if self.are_twins(p) else 'same' if left and right else 'contained' if left or right else 'overlap'
        inodes = {f[1:] for f in m.inside[p[0]]} & {f[1:] for f in m.inside[p[1]]}
        return (kind, len(m.keys[p[0]] & m.keys[p[1]]), self.weight(p), len(inodes), sum(m.length(k) for _, k in inodes), *sides,
                tuple(self.others(p[0], p[1], unjudged=unjudged)) if kind == 'twins' else ())


def path_of(o):
    return base64.b64decode(o['path_b64']) if 'path_b64' in o else o['path'].encode()


def told(o, other=False, unjudged=lambda d: 0):
    """A pair as the program tells it; other: the right side is of another index."""
    assert 'index' not in o['left'] and ('index' in o['right']) == other, o
    sides = []
    for side in (o['left'], o['right']):
        share = side['shared_bytes'] * 1000 // side['bytes'] / 10
        assert side['share'] == share and side['unjudged'] == unjudged(path_of(side)), (o, unjudged(path_of(side)))
        sides.append((path_of(side), side['files'], side['bytes'], side['shared_files'], side['shared_bytes'], side['twins']))
    return (o['kind'], o['contents'], o['bytes'], o['linked'], o['linked_bytes'], *sides,
            tuple(path_of(t) for t in o.get('twins', [])))


class Round:
    def __init__(self, program, seed):
        self.program, self.rng = os.fsencode(program), random.Random(seed)
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-similar.')))
        self.top = os.path.join(self.dir, b'top')
        os.mkdir(self.top)
        self.told = []
        self.contents = [bytes([c]) * self.rng.choice([1, 3, 10, 10, 50, 200]) + b'%d' % c for c in range(self.rng.randrange(3, 40))]
        self.n = 0

    def db(self, i):
        return os.path.join(self.dir, b'db%d' % i)

    def run(self, *args, want=(0,), db=0):
        p = subprocess.run([self.program, b'--db', self.db(db), *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=self.top)
        assert p.returncode in want, (args, p.returncode, p.stderr)
        return p.stdout

    def dirs(self):
        return sorted(d for r in self.roots for d, _, _ in os.walk(r))

    def files(self):
        return sorted(os.path.join(d, n) for r in self.roots for d, _, names in os.walk(r) for n in names)

    def new_name(self):
        self.n += 1
        return self.rng.choice([b'a', b'b', b'c', b'd', b'\xff', b'%d' % self.n])

    def make_dir(self, parent):
        d = os.path.join(parent, self.new_name())
        if not os.path.lexists(d):
            os.mkdir(d)
            self.told.append('mkdir %r' % os.path.relpath(d, self.top))

    def make_file(self, d):
        p = os.path.join(d, self.new_name())
        if os.path.lexists(p):
            return
        with open(p, 'wb') as f:
            f.write(b'' if self.rng.random() < 0.05 else self.rng.choice(self.contents))
        self.told.append('file %r' % os.path.relpath(p, self.top))

    def make_link(self):
        files = self.files()
        if not files:
            return
        old, new = self.rng.choice(files), os.path.join(self.rng.choice(self.dirs()), self.new_name())
        if not os.path.lexists(new):
            os.link(old, new)
            self.told.append('link %r %r' % (os.path.relpath(old, self.top), os.path.relpath(new, self.top)))

    def make_tag(self):
        """A directory becomes a cache: its pairs are told like others."""
        d = self.rng.choice(self.dirs())
        with open(os.path.join(d, b'CACHEDIR.TAG'), 'wb') as f:
            f.write(b'Signature: 8a477f597d28d172789f06886806bc55')
        self.told.append('tag %r' % os.path.relpath(d, self.top))

    def copy_tree(self):
        dirs = self.dirs()
        old, new = self.rng.choice(dirs), os.path.join(self.rng.choice(dirs), self.new_name())
        if os.path.lexists(new) or (new + b'/').startswith(old + b'/') or len(dirs) > 60:
            return
        links = self.rng.random() < 0.2
        shutil.copytree(old, new, copy_function=os.link if links else shutil.copy)
        self.told.append('%s %r %r' % ('links' if links else 'copy', os.path.relpath(old, self.top), os.path.relpath(new, self.top)))

    def move(self):
        old, new = self.rng.choice(self.files() or [b'']), os.path.join(self.rng.choice(self.dirs()), self.new_name())
        if old and not os.path.lexists(new):
            os.rename(old, new)
            self.told.append('mv %r %r' % (os.path.relpath(old, self.top), os.path.relpath(new, self.top)))

    def remove(self):
        files = self.files()
        if files:
            p = self.rng.choice(files)
            os.unlink(p)
            self.told.append('rm %r' % os.path.relpath(p, self.top))

    def spread(self):
        """The same file into many directories."""
        data = self.rng.choice(self.contents)
        for d in self.dirs():
            p = os.path.join(d, b'LICENSE')
            if self.rng.random() < 0.8 and not os.path.lexists(p):
                with open(p, 'wb') as f:
                    f.write(data)
        self.told.append('spread')

    def make(self):
        above = self.rng.choice([b'', b'', b'm', b'm/n'])
        roots = [os.path.join(self.top, above if i > 0 else b'', b'r%d' % i) for i in range(self.rng.choice([1, 1, 2, 3]))]
        for r in roots:
            os.makedirs(r)
        self.roots = roots
        for _ in range(self.rng.randrange(2, 20)):
            self.make_dir(self.rng.choice(self.dirs()))
        for _ in range(self.rng.randrange(3, 60)):
            self.make_file(self.rng.choice(self.dirs()))
        for _ in range(self.rng.randrange(25)):
            self.rng.choice([self.copy_tree, self.copy_tree, self.move, self.remove, self.make_link,
                             lambda: self.make_file(self.rng.choice(self.dirs()))])()
        if self.rng.random() < 0.3:
            self.spread()
        if self.rng.random() < 0.3:
            self.make_tag()
        return roots

    def compare(self, roots, operands, share, min_size, by_name):
        rules = Rules(Model(roots, by_name), operands, share, min_size)
        args = [b'similar', b'--min-share', b'%d' % share, b'--min-size', b'%d' % min_size] + [b'--names'] * by_name
        want = [rules.answer(p) for p in rules.pairs()]
        got = [told(o) for o in json.loads(self.run(*args, b'--json', b'--', *operands).decode())['similar']]
        if got != want:
            lines = ['%s %s' % (side, t) for side, ts, us in (('program', got, want), ('model', want, got)) for t in ts if t not in us]
            raise seeds.Disagreement('%r\n%s' % (args + operands, '\n'.join(lines) or 'another order'))
        rows = list(csv.DictReader(io.StringIO(self.run(*args, b'--format', b'csv', b'--', *operands).decode())))
        assert len(rows) == sum(1 + len(w[7]) for w in want), (rows, want)
        raw = self.run(*args, b'-0', b'--', *operands).split(b'\0')[:-1]
        assert list(zip(raw[::2], raw[1::2])) == [p for w in want for p in [(w[5][0], w[6][0])] + [(w[5][0], t) for t in w[7]]]

    def compare_with(self, roots):
        """Each root in an index of its own, or some together, and overlapping."""
        rng = self.rng
        groups = [0] + [rng.choice([1, 2]) for _ in roots[1:]]
        for i, r in enumerate(roots):
            self.run(b'scan', b'-q', b'--racy-window', b'0s', *([b'--secret-from', self.db(1)] if i > 0 else []), r, db=groups[i] + 1)
        if rng.random() < 0.3:
            self.run(b'scan', b'-q', b'--racy-window', b'0s', roots[0], db=groups[1] + 1)
        by_name = rng.random() < 0.3
        rules = Rules(Model(roots, by_name), roots, 50, 1, groups)
        withs = [a for g in sorted(set(groups[1:])) for a in (b'--with', self.db(g + 1))]
        want = [rules.answer(p) for p in rules.pairs()]
        got = [told(o, True) for o in
               json.loads(self.run(b'similar', b'--json', *[b'--names'] * by_name, *withs, db=1).decode())['similar']]
        if got != want:
            raise seeds.Disagreement('--with, %r\n  program %s\n  model %s' % (groups, got, want))

    def check_looked_at(self, what, rules, pairs, odd):
        """The pairs with what could not be judged in each: odd files there; without a pair all of them count."""
        def unjudged(d):
            return sum(rules.m.below(p, d) for p in odd)
        doc = json.loads(self.run(b'similar', b'--json', b'-t', b'0', want=(0, 3)).decode())
        want = [rules.answer(p, unjudged) for p in pairs]
        got = [told(o, False, unjudged) for o in doc['similar']]
        if got != want:
            raise seeds.Disagreement('%s\n  program %s\n  model %s' % (what, [g for g in got if g not in want], [w for w in want if w not in got]))
        shown = {d for p in pairs for d in (*p, *(rules.twins[p[0]] if rules.are_twins(p) else ()))} or rules.m.dirs
        status = 3 if any(map(unjudged, shown)) else 0
        if doc['exit'] != status:
            raise seeds.Disagreement('%s\n  program %s\n  model %d, odd %s' % (what, doc, status, odd))

    def part(self, roots):
        """Links of a directory in a new one, which alone is scanned: the originals have a new time of status change."""
        old, to = self.rng.choice(self.dirs()), os.path.join(self.rng.choice(self.dirs()), b'part')
        if (to + b'/').startswith(old + b'/') or len(self.dirs()) > 60:
            return
        shutil.copytree(old, to, copy_function=os.link)
        self.told.append('links %r %r, scanned alone' % (os.path.relpath(old, self.top), os.path.relpath(to, self.top)))
        self.run(b'scan', b'-q', b'--racy-window', b'0s', to)
        inodes = {os.lstat(p).st_ino for p in self.files() if p.startswith(to + b'/')}
        odd = [p for p in self.files() if os.lstat(p).st_ino in inodes and not p.startswith(to + b'/')]

        rules = Rules(Model(roots, False), [], 50, 1)
        self.check_looked_at('in parts', rules, rules.pairs(), odd)
        for r in roots:
            self.run(b'scan', b'-q', b'--racy-window', b'0s', r)

    def look(self, roots):
        """Edit: the pairs stay those of the scan, and what can't be judged is counted."""
        rules = Rules(Model(roots, False), [], 50, 1)
        pairs, odd = rules.pairs(), []
        before = set(self.files())
        for _ in range(self.rng.choice([1, 2, 4])):
            files, d = sorted(set(self.files()) & before - set(odd)), self.rng.choice(self.dirs())
            path = os.path.join(d, b'N%d' % len(odd))
            if self.rng.random() < 0.4 or not files:
                with open(path, 'wb') as f:
                    f.write(self.rng.choice(self.contents))
            else:
                path = self.rng.choice(files)
                names = [p for p in files if os.lstat(p).st_ino == os.lstat(path).st_ino]
                if self.rng.random() < 0.5 and len(names) == 1:
                    if os.path.getsize(path) == 0:
                        continue
                    os.unlink(path)
                else:
                    # All its names have changed.
                    odd += [p for p in names if p != path]
                    with open(path, 'ab') as f:
                        f.write(b'!')
            odd.append(path)
            self.told.append('odd %r' % os.path.relpath(path, self.top))

        self.check_looked_at('edited', rules, pairs, odd)

    def play(self):
        roots = self.make()
        for r in roots:
            self.run(b'scan', b'-q', b'--racy-window', b'0s', r)
        rng = self.rng
        for _ in range(3):
            operands = rng.choice([[], [], [rng.choice(self.dirs())], rng.sample(self.dirs(), min(2, len(self.dirs())))])
            self.compare(roots, operands, rng.choice([1, 10, 50, 50, 80, 100]), rng.choice([0, 0, 5, 100]), rng.random() < 0.3)
        if len(roots) > 1:
            self.compare_with(roots)
        if self.rng.random() < 0.4:
            self.part(roots)
        self.look(roots)

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
