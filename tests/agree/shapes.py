# SPDX-License-Identifier: MIT
"""Single shapes, each a function with a tree of its own and the claim in its name.

    shapes.py PROGRAM [NAME]
"""

import mmap
import os
import random
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from model import Model  # noqa: E402
from tree import Tree, content  # noqa: E402

RACY, SETTLED = ['--racy-window=60s'], ['--racy-window=10ms']
BIG, SMALL = 300000, 3000


class Place:
    """A directory with a root r, a model of it, and short ways to make things."""

    def __init__(self, program):
        self.program = program
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-shape.')))
        self.tree = Tree(os.path.join(self.dir, b'top'), random.Random(1))
        os.makedirs(self.at('r'))
        self.model = None

    def at(self, path):
        return os.path.join(self.dir, b'top', os.fsencode(path))

    def start(self, options, *roots, hidden=True, trust=False):
        self.settled = options != RACY
        options = options + ([] if hidden else ['--no-hidden']) + (['--trust-mtime'] if trust else [])
        self.model = Model(self.program, os.path.join(self.dir, b'index.db'), [self.at(r) for r in roots or ['r']],
                           options, hidden, trust)

    def put(self, path, data):
        os.makedirs(os.path.dirname(self.at(path)), exist_ok=True)
        self.tree.write(self.at(path), data)

    def link(self, a, b):
        os.makedirs(os.path.dirname(self.at(b)), exist_ok=True)
        os.link(self.at(a), self.at(b))

    def move(self, a, b):
        os.rename(self.at(a), self.at(b))

    def scan(self, *paths):
        """Scan, and all must agree."""
        if self.settled:
            time.sleep(0.025)
        new = not os.path.exists(self.model.db)
        self.model.scan(*([self.at(p) for p in paths] or (self.model.roots if new else [])))
        self.model.check()
        self.model.compare()

    def refresh(self, *paths):
        if self.settled:
            time.sleep(0.025)
        self.model.refresh(*[self.at(p) for p in paths])
        self.model.check()
        self.model.compare()


def shape_names_of_one_big_inode_in_several_directories(p):
    """Its head is read in passing under one name; the others must have it too."""
    for n in range(4):
        p.put('r/d%d/first' % n, content(BIG, n + 1, None))
    p.link('r/d1/first', 'r/d2/second')
    p.link('r/d1/first', 'r/d3/third')
    p.link('r/d3/first', 'r/d0/fourth')
    p.start(SETTLED)
    p.scan()


def shape_racy_links_in_several_directories(p):
    """A racy hash must not hide behind the digest of another name's directory."""
    for n in range(5):
        p.put('r/d%d/one' % n, content(SMALL, n + 1, None))
        p.link('r/d%d/one' % n, 'r/e%d/other' % n)
    p.start(RACY)
    p.scan()
    p.scan()


def shape_mmap_store_after_the_scan(p):
    """The times stay: a racy file must be read again, whole or head."""
    for size in (SMALL, BIG):
        p.put('r/a%d' % size, content(size, 1, None))
        p.put('r/b%d' % size, content(size, 2, None))
    p.start(RACY)
    maps = []
    for size in (SMALL, BIG):
        with open(p.at('r/b%d' % size), 'r+b') as f:
            maps.append(mmap.mmap(f.fileno(), 0))
        # Every page: the first store to each sets the times.
        maps[-1][:] = bytes(maps[-1])
    p.scan()
    maps[0][:] = content(SMALL, 1, None)
    maps[1][:] = content(BIG, 1, None)
    p.scan()
    maps[1][BIG - 1:] = b'!'
    p.scan()
    for m in maps:
        m.close()


def shape_ancestor_moved_below_a_scanned_part(p):
    """r/a/b is scanned alone after the old r/a came to lie below it: no directory may lie in itself."""
    p.put('r/a/b/file', content(SMALL, 1, None))
    p.put('r/stays', b'stays')
    p.start(SETTLED)
    p.scan()
    p.move('r/a', 'old')
    p.put('r/a/b/new', content(SMALL, 1, None))
    p.move('old', 'r/a/b/old')
    p.scan('r/a/b')
    p.scan()


def shape_turned_over(p):
    """a/b becomes b/a."""
    p.put('r/a/b/inner', content(SMALL, 1, None))
    p.put('r/a/outer', content(SMALL, 1, None))
    p.start(SETTLED)
    p.scan()
    p.move('r/a/b', 'r/b')
    p.move('r/a', 'r/b/a')
    p.scan()
    p.move('r/b/a', 'r/a')
    p.move('r/b', 'r/a/b')
    p.scan()


def shape_directories_swapped_and_rotated(p):
    for n in range(3):
        p.put('r/d%d/x' % n, content(SMALL, n % 2 + 1, None))
        p.put('r/d%d/sub/y' % n, content(SMALL, n % 2 + 1, 'last'))
    p.start(SETTLED)
    p.scan()
    p.move('r/d0', 'aside')
    p.move('r/d1', 'r/d0')
    p.move('r/d2', 'r/d1')
    p.move('aside', 'r/d2')
    p.scan()
    p.move('r/d0', 'r/d1/sub/in')
    p.scan('r/d1')
    p.scan()


def shape_directory_moved_between_scanned_parts(p):
    p.put('r/x/d/f', content(SMALL, 1, None))
    p.put('r/y/g', content(SMALL, 1, None))
    p.put('r/x/stays', b'x')
    p.start(SETTLED)
    p.scan()
    p.move('r/x/d', 'r/y/d')
    p.scan('r/y')
    p.scan('r/x')
    p.move('r/y/d', 'r/x/d')
    p.scan('r/y')
    p.scan()


def shape_link_of_a_hashed_file_without_company(p):
    """One name hashed while another inode had its size, later names not: all are links."""
    p.put('r/x/a', content(SMALL, 1, None))
    p.put('r/other', content(SMALL, 2, None))
    p.start(SETTLED)
    p.scan()
    p.link('r/x/a', 'r/y/b')
    p.scan('r/x')
    os.unlink(p.at('r/other'))
    p.scan()


def shape_more_links_than_are_sampled(p):
    """trust_mtime: twelve hashed names of one inode must not hide that another inode has its size."""
    p.put('r/d/a', content(SMALL, 1, None))
    for n in range(12):
        p.link('r/d/a', 'r/d/a%d' % n)
    p.put('r/z/twin', content(SMALL, 1, None))
    p.start(SETTLED, trust=True)
    p.scan()
    p.link('r/d/a', 'r/y/new')
    p.scan()


def shape_trusted_links_with_new_ctime(p):
    """trust_mtime: chmod gives all names a new ctime, but only some rows are looked at."""
    p.put('r/d/a', content(SMALL, 1, None))
    p.link('r/d/a', 'r/e/b')
    p.put('r/d/other', content(SMALL, 2, None))
    p.put('r/lonely/a', content(BIG, 2, None))
    p.link('r/lonely/a', 'r/also/b')
    p.start(SETTLED, trust=True)
    p.scan()
    os.chmod(p.at('r/d/a'), 0o600)
    os.chmod(p.at('r/lonely/a'), 0o600)
    p.put('r/d/new', b'the digest of d changes')
    p.put('r/also/new', b'and that of also')
    p.scan()


def shape_new_twins_of_files_never_read(p):
    for n, size in enumerate([1, 100, 32768, 32769, 131072, 131073, BIG]):
        p.put('r/old/f%d' % n, content(size, 1, None))
    p.start(SETTLED)
    p.scan()
    for n, size in enumerate([1, 100, 32768, 32769, 131072, 131073, BIG]):
        p.put('r/same/f%d' % n, content(size, 1, None))
    p.scan('r/same')
    for n, size in enumerate([100, 32768, 32769, 131072, 131073, BIG]):
        for where in ('first', 'middle', 'last'):
            p.put('r/%s/f%d' % (where, n), content(size, 1, where))
    p.scan('r/middle')
    p.refresh()
    p.scan()


def shape_emptied_and_filled_again(p):
    """An index without files, with directories: as good as a first scan."""
    p.put('r/d/a', content(SMALL, 1, None))
    p.put('r/keep', b'')
    p.start(SETTLED)
    p.scan()
    os.unlink(p.at('r/d/a'))
    os.unlink(p.at('r/keep'))
    os.mkdir(p.at('r/more'))
    p.scan()
    for n in range(3):
        p.put('r/d/f%d' % n, content(SMALL, 1 + n // 2, None))
        p.put('r/new%d/f' % n, content(SMALL, 1 + n // 2, None))
        p.put('r/more/big%d' % n, content(BIG, 1, [None, 'middle', None][n]))
    p.link('r/d/f0', 'r/more/link')
    p.link('r/new2/f', 'r/d/link')
    p.scan()


def shape_root_below_a_root(p):
    p.put('r/in/a', content(SMALL, 1, None))
    p.put('r/in/deep/b', content(SMALL, 2, None))
    p.put('r/out', content(SMALL, 1, None))
    p.start(SETTLED, 'r/in')
    p.scan('r/in')
    p.model.roots = [p.at('r')]
    p.scan('r')
    p.move('r/in/deep', 'r/deep')
    p.scan('r/in')
    p.scan()


def shape_two_unreadable_directories(p):
    """New directories that can't be read have no identity, and are not one another."""
    if os.geteuid() == 0:
        raise SkipShape('root may read everything')
    for d in 'cab':
        p.put('r/%s/file' % d, content(SMALL, 1, None))
    p.start(SETTLED)
    os.chmod(p.at('r/c'), 0)
    p.model.run(b'scan', b'-q', p.at('r'), want=(3,))
    p.model.check()
    for d in 'ab':
        os.chmod(p.at('r/%s' % d), 0)
    p.put('r/x', b'x')
    os.rename(p.at('r/a'), p.at('r/aa'))
    p.model.run(b'scan', b'-q', p.at('r'), want=(3,))
    p.model.check()
    p.model.run(b'scan', b'-q', p.at('r'), want=(3,))
    p.model.check()
    for d in ('aa', 'b', 'c'):
        os.chmod(p.at('r/%s' % d), 0o755)
    p.scan()


class SkipShape(Exception):
    pass


NOBODY = 65534


def be_nobody(program):
    """Permissions mean nothing to root: go on as somebody else, in a place of his own, with the program there."""
    there = tempfile.mkdtemp(prefix='twindex-shapes.')
    copy = os.path.join(there, 'twindex')
    shutil.copy(program, copy)
    os.chmod(copy, 0o755)
    os.chown(there, NOBODY, NOBODY)
    pid = os.fork()
    if pid != 0:
        status = os.waitpid(pid, 0)[1]
        shutil.rmtree(there, ignore_errors=True)
        os._exit(os.waitstatus_to_exitcode(status))
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    tempfile.tempdir = there
    return copy


def run_shape(name, function, program):
    p = Place(os.fsencode(program))

    def play():
        try:
            function(p)
        except SkipShape as e:
            print('skipped: %s: %s' % (name, e))

    failed = seeds.failure_of(play)
    if os.environ.get('KEEP'):
        print('kept: %s' % p.dir.decode())
    else:
        shutil.rmtree(p.dir, ignore_errors=True)
    return None if failed is None else '%s\n  %s' % (name, failed)


def main():
    program = os.path.abspath(sys.argv[1])
    shapes = {n[6:]: f for n, f in sorted(globals().items()) if n.startswith('shape_')}
    if len(sys.argv) > 2:
        shapes = {n: f for n, f in shapes.items() if n == sys.argv[2]}
    elif not os.environ.get('EVERY_KIND'):
        # Each other one.
        shapes = dict(list(shapes.items())[::2])
    if os.geteuid() == 0:
        program = be_nobody(program)
    return seeds.report('shapes', len(shapes), (run_shape(name, function, program) for name, function in shapes.items()))


if __name__ == '__main__':
    sys.exit(main())
