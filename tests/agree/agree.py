# SPDX-License-Identifier: MIT
"""Random trees, random edits: twindex must say what reading everything says.

A seed (see seeds.py) decides what happens, but for what depends on time: where
a scan is killed, and which edits meet a scan that runs beside them.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from model import Model  # noqa: E402
from tree import Tree  # noqa: E402


class Round:
    """One seed."""

    def __init__(self, program, seed):
        self.rng = rng = random.Random(seed)
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-agree.')))
        top = os.path.join(self.dir, b'top')
        self.roots = [os.path.join(top, b'r0')]
        # racy: everything is so young that it is read again; settled: nothing is.
        self.kind = rng.choice(['racy', 'racy', 'settled', 'settled', 'trust'])
        options = ['--racy-window', '60s'] if self.kind == 'racy' else ['--racy-window', '10ms']
        options = ['='.join(options)] + (['--trust-mtime'] if self.kind == 'trust' else [])
        hidden = rng.random() < 0.3
        if not hidden:
            options.append('--no-hidden')
        options.append('--threads=%d' % rng.choice([1, 2, 8]))
        if rng.random() < 0.4:
            self.roots.append(os.path.join(top, b'r1'))
        if rng.random() < 0.25:
            self.roots.append(os.path.join(self.roots[0], b'nested'))
        os.mkdir(top)
        self.tree = Tree(top, rng, mmaps=self.kind == 'racy', restore=self.kind != 'trust')
        self.told = self.tree.log
        self.tree.fixed = set(self.roots)
        for r in self.roots:
            os.mkdir(r)
        self.tree.write(os.path.join(self.roots[0], b'stays'), b'stays')
        self.tree.write(os.path.join(self.roots[-1], b'stays too'), b'too')
        if len(self.roots) > 1:
            self.tree.write(os.path.join(self.roots[1], b'stays as well'), b'stays')
        self.model = Model(os.fsencode(program), os.path.join(self.dir, b'index.db'), self.roots, options, hidden,
                           self.kind == 'trust')
        self.model.note = self.tree.note
        self.told.append('%s, %s' % (self.kind, ' '.join(options)))

    def settle(self):
        """Let what was written leave the racy window."""
        if self.kind != 'racy':
            time.sleep(0.025)

    def subtree(self):
        dirs = [d for d in self.tree.dirs() if self.model.hidden or b'/.' not in d]
        return self.rng.choice(dirs)

    def kill_scan(self):
        model = self.model
        args = [model.program, b'--db', model.db, b'scan', b'-q'] + [o.encode() for o in model.scan_options]
        before = time.monotonic()
        p = subprocess.Popen(args + self.roots, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        time.sleep(self.rng.random() * 0.02)
        self.rng.choice([p.kill, p.kill, p.terminate])()
        p.wait()
        self.tree.log.append('scan ended by a signal after %.1f ms: %d' %
                             ((time.monotonic() - before) * 1000, p.returncode))
        if os.path.exists(model.db):
            model.unsure(*self.roots)
            # Not even the first transaction may have been.
            if model.run(b'check', want=(0, 5)).returncode == 0:
                model.compare()

    def scan_beside_edits(self):
        """The tree changes while it is scanned: nothing to compare, but what is stored must be proven."""
        def edit():
            for _ in range(12):
                try:
                    self.tree.edit()
                except OSError:
                    pass
        t = threading.Thread(target=edit)
        t.start()
        try:
            self.tree.log.append('scan beside edits')
            self.model.run(b'scan', b'-q', *[o.encode() for o in self.model.scan_options], *self.roots, want=(0, 3))
        finally:
            t.join()
        self.model.check()
        self.settle()
        self.model.unsure(*self.roots)

    def step(self):
        rng, model, tree = self.rng, self.model, self.tree
        for _ in range(rng.choice([0, 1, 2, 5, 10, 20])):
            tree.edit()
        self.settle()
        what = rng.random()
        if what < 0.15:
            model.scan(self.subtree())
        elif what < 0.27:
            model.refresh(*([] if rng.random() < 0.5 else [rng.choice(self.roots)]))
        elif what < 0.37:
            d = self.subtree()
            if tree.may_move(d):
                model.forget(d)
                if rng.random() < 0.5 and os.path.isdir(d):
                    model.scan(d)
        elif what < 0.45:
            self.kill_scan()
        elif what < 0.53:
            self.scan_beside_edits()
        if what < 0.53:
            model.check()
            model.compare()
            if rng.random() < 0.5:
                return
        model.scan(*(self.roots if rng.random() < 0.5 else []))
        model.check()
        model.compare()
        if rng.random() < 0.3:
            model.compare(exclude=self.subtree())

    def play(self):
        self.tree.make(self.rng.randrange(3, 9), self.rng.randrange(5, 35))
        self.settle()
        if self.rng.random() < 0.1:
            self.kill_scan()
        self.model.scan(*self.roots)
        self.model.check()
        self.model.compare()
        for _ in range(self.rng.randrange(2, 6)):
            self.step()

    def close(self):
        self.tree.close()
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
