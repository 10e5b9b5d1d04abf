# SPDX-License-Identifier: MIT
"""where, asked of an index and of a copy that lacks the order of its names, and beside its rows.

A seed (see seeds.py) decides what happens, but for where a scan is killed.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from tree import HIDDEN, NAMES, Tree  # noqa: E402

# make check plays few.
STEPS = 10 if os.environ.get('SEEDS') or os.environ.get('SEED') else 4
TABLES = ('name_block', 'name_place', 'name_added')


def lower(name):
    return bytes(c + 32 if 65 <= c <= 90 else c for c in name)


class Round:
    def __init__(self, program, seed):
        self.rng = rng = random.Random(seed)
        self.program = os.fsencode(program)
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-names.')))
        self.top = os.path.join(self.dir, b'top')
        self.db, self.plain = os.path.join(self.dir, b'index.db'), os.path.join(self.dir, b'plain.db')
        os.mkdir(self.top)
        self.tree = Tree(self.top, rng, mmaps=False)
        self.told = self.tree.log
        self.roots = [os.path.join(self.top, b'r%d' % i) for i in range(rng.choice((1, 2)))]
        self.tree.fixed = set(self.roots)
        for r in self.roots:
            os.mkdir(r)
            self.tree.write(os.path.join(r, b'stays'), r)
        self.n_many = 0

    def run(self, *words, db=None, want=(0,)):
        done = subprocess.run([self.program, b'--db', db or self.db, *words], stdin=subprocess.DEVNULL, capture_output=True,
                              env=dict(os.environ, LC_ALL='C.UTF-8'))
        if done.returncode not in want:
            raise seeds.Disagreement('%r: status %d\n%s' % (words, done.returncode, done.stderr.decode(errors='replace')))
        return done.stdout

    def many(self):
        """More names at once than are kept beside the others, or than are looked up by their paths."""
        d = os.path.join(self.roots[0], b'many%d' % self.n_many)
        n = self.rng.choice((100, 300, 1100, 1500))
        self.n_many += 1
        os.mkdir(d)
        for i in range(n):
            with open(os.path.join(d, b'Many-%d-%d' % (self.n_many, i) if self.rng.random() < 0.9 else b'm%d' % i), 'wb'):
                pass
        self.tree.note('%d files in' % n, d)

    def scan(self, *words):
        self.told.append('scan %s' % b' '.join(words).decode(errors='replace'))
        self.run(b'scan', b'--racy-window=0s', *words, want=(0, 3))

    def kill(self):
        p = subprocess.Popen([self.program, b'--db', self.db, b'scan', b'--racy-window=0s', *self.roots],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.rng.random() * 0.04)
        self.rng.choice([p.kill, p.terminate])()
        p.wait()
        self.told.append('a scan is killed')
        # It had not begun to make the index.
        if subprocess.run([self.program, b'--db', self.db, b'info'], capture_output=True).returncode == 5:
            self.scan(b'--', *self.roots)

    def act(self):
        """Files go, and some come back."""
        self.told.append('rm, undo')
        self.run(b'rm', b'-r', b'--yes', b'--include-hidden', b'--', self.roots[0], want=(0, 1, 2, 3))
        if self.rng.random() < 0.7:
            self.run(b'undo', b'--yes', want=(0, 1, 2, 3))

    def step(self):
        rng = self.rng
        for _ in range(rng.randrange(1, 12)):
            self.tree.edit()
        if rng.random() < 0.3:
            self.many()
        what = rng.random()
        if what < 0.15:
            self.kill()
        elif what < 0.25:
            self.act()
        elif what < 0.35:
            self.told.append('refresh')
            self.run(b'refresh', want=(0, 2, 3))
        elif what < 0.45:
            d = self.tree.some_dir()
            self.tree.note('forget', d)
            self.run(b'forget', b'--yes', b'--', d, want=(0, 1, 2, 3))
        elif what < 0.6:
            self.scan(b'--', rng.choice(self.roots))
        else:
            self.scan(b'--', *self.roots)

    def rows(self):
        """The paths of all rows, of files and of directories, and whether the index has the order of its names."""
        c = sqlite3.connect(os.fsdecode(self.plain))
        # A stored name has no byte that is not text: those are "/xHH".
        c.text_factory = bytes
        dirs = {i: (parent, raw if raw is not None else name) for i, parent, name, raw in c.execute('SELECT id, parent, name, name_raw FROM dir')}

        def path(i):
            parts = []
            while i > 0:
                i, name = dirs[i]
                parts.append(name.rstrip(b'/') if i == 0 else name)
            return b'/'.join(reversed(parts)) if i == 0 else None

        files = [(path(d), raw if raw is not None else name) for d, name, raw in c.execute('SELECT dir, name, name_raw FROM file')]
        tables = {name for name, in c.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        c.close()
        return [d + b'/' + n for d, n in files if d is not None] + [path(i) + b'/' for i in dirs if path(i) is not None], b'name_block' in tables

    def drop(self):
        c = sqlite3.connect(os.fsdecode(self.plain))
        for t in TABLES:
            c.execute('DROP TABLE IF EXISTS ' + t)
        c.commit()
        c.close()

    def questions(self, paths):
        rng = self.rng
        names = sorted({os.path.basename(p.rstrip(b'/')) for p in paths}) + NAMES + HIDDEN
        for _ in range(9):
            name = rng.choice(names)
            if not name or name.startswith(b'/') or b'/' in name:
                continue
            flags, kind = [], rng.random()
            at = rng.randrange(len(name))
            part = name[at:at + rng.choice((1, 2, 3, 9))]
            if kind < 0.35:
                word = name
            elif kind < 0.6:
                word = b'*' + part.translate(None, b'*?[\\') + b'*'
            elif kind < 0.7:
                word = rng.choice((b'*', b'?', b'??', b'[a-m]*', b'*[0-9]', b'm*', b'*s', b'M*-1*', b'**', b'\\%s' % name[:1] + b'*'))
            elif kind < 0.8:
                word, flags = name.swapcase(), [b'-i']
            elif kind < 0.9:
                word, flags = b'*' + part.swapcase().translate(None, b'*?[\\') + b'*', [b'-i']
            else:
                word = rng.choice((b'r0/', b'*/', b'')) + name + rng.choice((b'', b'/'))
            if rng.random() < 0.2:
                flags += [b'--type', rng.choice((b'file', b'dir'))]
            dirs = [rng.choice([p.rstrip(b'/') for p in paths if p.endswith(b'/')] or self.roots)] if rng.random() < 0.25 else []
            yield flags, word, dirs

    def expected(self, paths, flags, word, dirs):
        """The paths that the rows have of a name or of *PART*; None where that is left to the other index."""
        fold = lower if b'-i' in flags else bytes
        inner = word[1:-1] if len(word) > 1 and word[:1] == word[-1:] == b'*' else None
        if (inner if inner is not None else word).translate(None, b'*?[\\/') != (inner if inner is not None else word) or any(c > 127 for c in word):
            return None
        found = set()
        for p in paths:
            n = fold(os.path.basename(p.rstrip(b'/')))
            if (fold(inner) in n if inner is not None else n == fold(word)) and \
                    not (b'file' in flags and p.endswith(b'/')) and not (b'dir' in flags and not p.endswith(b'/')) and \
                    all(p == d + b'/' or p.startswith(d + b'/') for d in dirs):
                found.add(p)
        return found

    def ask(self):
        if not os.path.exists(self.db):
            return
        for ending in (b'', b'-wal'):
            if os.path.exists(self.plain + ending):
                os.unlink(self.plain + ending)
            if os.path.exists(self.db + ending):
                shutil.copy(self.db + ending, self.plain + ending)
        self.run(b'check', want=(0, 1, 5))
        try:
            paths, ordered = self.rows()
        except sqlite3.DatabaseError:
            return
        self.drop()
        self.told.append('%d rows, %s' % (len(paths), 'names in order' if ordered else 'no order of names'))
        for flags, word, dirs in self.questions(paths):
            words = [b'where', b'-0', *flags, b'--', word, *dirs]
            got, other = self.run(*words, want=(0, 1, 2, 3)), self.run(*words, db=self.plain, want=(0, 1, 2, 3))
            if got != other:
                raise seeds.Disagreement('%r: %r, but by directories %r' % (words, got, other))
            wanted = self.expected(paths, flags, word, dirs)
            if wanted is not None and set(got.split(b'\0')) - {b''} != wanted:
                raise seeds.Disagreement('%r: %r, but the rows have %r' % (words, got, sorted(wanted)))

    def play(self):
        for _ in range(10):
            self.tree.edit()
        if self.rng.random() < 0.5:
            self.many()
        if self.rng.random() < 0.3:
            self.kill()
            self.ask()
        self.scan(b'--', *self.roots)
        self.ask()
        for _ in range(STEPS):
            self.step()
            self.ask()
        self.scan(b'--', *self.roots)
        if b'ok' not in self.run(b'check') or not self.rows_of_order():
            raise seeds.Disagreement('a scan has left no order of names')

    def rows_of_order(self):
        c = sqlite3.connect(os.fsdecode(self.db))
        n = c.execute('SELECT count(*) FROM name_block').fetchone()[0]
        c.close()
        return n

    def close(self):
        self.tree.close()
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
