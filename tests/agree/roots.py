# SPDX-License-Identifier: MIT
"""Random renames, removals and replacements of roots: the next scan of everything must heal the index.

Each seed (see seeds.py) makes some roots, renames and scans.

What must hold is computed from the roots in the index before the scan, and from the disk:
where each root is then (scan/root_place.c has the rule), and which files are in the
index, each once, in which state.  Nothing is ever deleted, only moved out of sight:
a new directory must not get the inode of an old one.
"""

import json
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
from seeds import Disagreement  # noqa: E402


class Root:
    """A root of the index: its path, its directory's inode there, its options."""

    def __init__(self, path, inode, hidden, excludes):
        self.path, self.inode, self.hidden, self.excludes = path, inode, hidden, excludes

    def skips(self, at, path, name):
        """Whether the options leave out what is at path, for a root that is at the path at."""
        if name.startswith('.') and not self.hidden:
            return True
        below = os.path.relpath(path, at)
        return any(below == e[1:] if e.startswith('/') else name == e for e in self.excludes)


def is_dir(path):
    """Whether a directory is there, and no link on the way."""
    return os.path.realpath(path) == path and os.path.isdir(path)


NAMES = ['a', 'b', 'c', '.h', 'x']


class Round:
    """One seed."""

    def __init__(self, program, seed):
        self.program = program
        self.rng = random.Random(seed)
        self.dir = os.path.realpath(tempfile.mkdtemp(prefix='twindex-roots.'))
        self.top = os.path.join(self.dir, 'top')
        self.away = os.path.join(self.dir, 'away')
        self.db = os.path.join(self.dir, 'index.db')
        self.racy = self.rng.random() < 0.5
        self.told = []
        self.n_away = self.n_files = 0
        os.mkdir(self.top)
        os.mkdir(self.away)

    def note(self, what, *paths):
        self.told.append(' '.join([what] + [p.replace(self.dir + '/', '') for p in paths]))

    # The disk.

    def dirs(self, top=None):
        return [d for d, _, _ in os.walk(top or self.top) if d != self.top]

    def files(self):
        return [os.path.join(d, f) for d, _, names in os.walk(self.top) for f in names
                if not os.path.islink(os.path.join(d, f))]

    def write(self, path):
        self.n_files += 1
        with open(path, 'w') as f:
            f.write(self.rng.choice(['same', 'also the same', '', 'only %d' % self.n_files]))

    def free_path(self):
        """A path that nothing has."""
        parent = self.rng.choice([self.top] * 2 + self.dirs())
        path = os.path.join(parent, self.rng.choice(NAMES))
        return None if os.path.lexists(path) or path.count('/') - self.top.count('/') > 5 else path

    def move_away(self, path):
        self.n_away += 1
        os.rename(path, os.path.join(self.away, '%d' % self.n_away))

    def some_dir(self):
        """Any directory; rather one that is a root, or is where one was."""
        known = [r.path for r in self.roots().values()] if os.path.exists(self.db) else []
        known = [p for p in known if is_dir(p)]
        if known and self.rng.random() < 0.6:
            return self.rng.choice(known)
        dirs = self.dirs()
        return self.rng.choice(dirs) if dirs else None

    def edit(self):
        what = self.rng.choice(['mkdir', 'write', 'write', 'rename', 'rename', 'rename', 'swap', 'replace', 'replace',
                                'remove', 'to file', 'to link', 'back', 'link', 'rename file', 'remove file', 'onto'])
        path, d, files = self.free_path(), self.some_dir(), self.files()
        if what in ('mkdir', 'write', 'rename', 'back') and path is None:
            return
        if what in ('rename', 'swap', 'replace', 'remove', 'to file', 'to link', 'onto') and d is None:
            return
        if what in ('link', 'rename file', 'remove file') and not files:
            return
        if what == 'mkdir':
            self.note('mkdir', path)
            os.mkdir(path)
            self.write(os.path.join(path, 'f'))
        elif what == 'write':
            self.note('write', path)
            self.write(path)
        elif what == 'rename' and not (path + '/').startswith(d + '/'):
            self.note('mv', d, path)
            os.rename(d, path)
        elif what in ('swap', 'onto'):
            e = self.some_dir()
            if (e + '/').startswith(d + '/') or (d + '/').startswith(e + '/'):
                return
            self.note(what, d, e)
            if what == 'swap':
                os.rename(d, d + '.tmp')
                os.rename(e, d)
                os.rename(d + '.tmp', e)
            else:
                self.move_away(e)
                os.rename(d, e)
        elif what == 'replace':
            self.note('replace', d)
            old = os.path.join(self.away, 'old')
            if self.rng.random() < 0.5 and path is not None and not (path + '/').startswith(d + '/'):
                self.told[-1] += ', the old one at ' + path.replace(self.dir + '/', '')
                os.rename(d, path)
                old = path
            else:
                self.move_away(d)
                old = os.path.join(self.away, '%d' % self.n_away)
            if self.rng.random() < 0.5:
                shutil.copytree(old, d, symlinks=True)
            else:
                os.mkdir(d)
                self.write(os.path.join(d, 'f'))
        elif what == 'remove':
            self.note('rm', d)
            self.move_away(d)
        elif what == 'to file':
            self.note('file for directory', d)
            self.move_away(d)
            self.write(d)
        elif what == 'to link' and path is not None and not (path + '/').startswith(d + '/'):
            self.note('mv and link', d, path)
            os.rename(d, path)
            os.symlink(path, d)
        elif what == 'back':
            gone = [n for n in os.listdir(self.away) if os.path.isdir(os.path.join(self.away, n))]
            if gone:
                n = self.rng.choice(sorted(gone))
                self.note('back', path)
                os.rename(os.path.join(self.away, n), path)
        elif what == 'link' and path is not None:
            self.note('ln', files[0], path)
            os.link(self.rng.choice(files), path)
        elif what == 'rename file' and path is not None:
            f = self.rng.choice(files)
            self.note('mv', f, path)
            os.rename(f, path)
        elif what == 'remove file':
            f = self.rng.choice(files)
            self.note('rm', f)
            self.move_away(f)

    # The program.

    def run(self, *args, want=(0,)):
        done = subprocess.run([self.program, '--db', self.db, *args], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        if done.returncode not in want:
            raise Disagreement('%r exited with %d: %r %r' % (args, done.returncode, done.stdout[-600:],
                                                             done.stderr[-1000:]))
        return done

    def window(self):
        if not self.racy:
            time.sleep(0.015)
        return '--racy-window=' + ('60s' if self.racy else '10ms')

    def ask(self, query):
        db = sqlite3.connect('file:%s?mode=ro' % self.db, uri=True)
        db.text_factory = os.fsdecode
        try:
            return db.execute(query).fetchall()
        finally:
            db.close()

    def roots(self):
        """The roots of the index, by id."""
        excludes = {}
        for root, pattern in self.ask('SELECT root, pattern FROM root_exclude'):
            excludes.setdefault(root, []).append(os.fsdecode(pattern))
        parents = {i: (parent, name) for i, parent, name in self.ask('SELECT id, parent, name FROM dir')}

        def path(i):
            parent, name = parents[i]
            return name if parent <= 0 else os.path.join(path(parent), name)
        return {i: Root(path(d), inode, bool(hidden), excludes.get(i, [])) for i, d, inode, hidden in
                self.ask('SELECT r.id, r.dir, d.inode, r.hidden FROM root r JOIN dir d ON d.id = r.dir')}

    def options(self):
        return self.rng.choice([[], [], [], ['--no-hidden'], ['--hidden'], ['--exclude', 'b'], ['--exclude', '/a'],
                                ['--no-hidden', '--exclude', 'x']])

    # What must be.

    def walk(self, roots):
        """What a scan of these roots meets: files, and where those are that have moved."""
        there = {r.path: i for i, r in roots.items() if is_dir(r.path)}
        away = {r.inode: i for i, r in roots.items() if not is_dir(r.path)}
        met, at, files = set(), {}, {}

        def visit(d, root, root_at):
            if d in met:
                return
            met.add(d)
            if d in there:
                root, root_at = roots[there[d]], d
                at[there[d]] = d
                moved = away.get(os.lstat(d).st_ino)
                if moved is not None:
                    at[moved] = None
            elif os.lstat(d).st_ino in away:
                i = away[os.lstat(d).st_ino]
                root, root_at = roots[i], d
                at[i] = d
            for name in sorted(os.listdir(d)):
                path = os.path.join(d, name)
                if root.skips(root_at, path, name) or os.path.islink(path):
                    continue
                if os.path.isdir(path):
                    visit(path, root, root_at)
                else:
                    with open(path, 'rb') as f:
                        files[path] = (os.lstat(path).st_ino, f.read())
        for i, r in roots.items():
            if r.path in there:
                visit(r.path, r, r.path)
        return at, files

    @staticmethod
    def states(files):
        inodes, names = {}, {}
        for path, (inode, content) in files.items():
            inodes.setdefault(content, set()).add(inode)
            names.setdefault(inode, set()).add(path)
        return {p: 'empty' if c == b'' else 'dup' if len(inodes[c]) > 1 else 'linked' if len(names[i]) > 1 else 'unique'
                for p, (i, c) in files.items()}

    def compare(self, before):
        """Scan everything, and compare."""
        at, _ = self.walk(before)
        missing = [i for i in before if i not in at]
        self.note('scan')
        self.run('scan', '-q', self.window(), want=(3,) if missing else (0,))
        self.run('check')
        after = self.roots()
        for i, r in before.items():
            if i in at and (after[i].path if i in after else None) != at[i]:
                raise Disagreement('root %s (%s) is %s, not %s' % (i, r.path, after[i].path if i in after else 'no more',
                                                                   at[i]))
            if i in missing and (i not in after or after[i].path != r.path):
                raise Disagreement('root %s (%s) is lost' % (i, r.path))
        if set(after) - set(before):
            raise Disagreement('new roots: %r' % [after[i].path for i in set(after) - set(before)])
        _, files = self.walk(after)
        kept = [after[i].path for i in after if not is_dir(after[i].path)]
        rows = [p for p, in self.ask('SELECT path FROM file_view')]
        dirs = [p for p, in self.ask('SELECT path FROM dir_view')]
        for what in rows, dirs:
            if len(set(what)) < len(what):
                raise Disagreement('twice in the index: %r' % sorted(p for p in set(what) if what.count(p) > 1))
        rows = {p for p in rows if not any(p.startswith(k + '/') for k in kept)}
        if rows != set(files):
            raise Disagreement('in the index and not there: %r; there and not in the index: %r' %
                               (sorted(rows - set(files)), sorted(set(files) - rows)))
        if missing:
            return
        listed = [json.loads(line) for line in self.run('ls', '--format', 'ndjson', self.top, want=(0, 3)).stdout.splitlines()]
        listed = [(f['path'], f['state']) for f in listed if f.get('state') not in (None, 'skipped', 'unknown')]
        if sorted(listed) != sorted(self.states(files).items()):
            raise Disagreement('listed: %r, expected: %r' % (sorted(set(listed) - set(self.states(files).items())),
                                                             sorted(set(self.states(files).items()) - set(listed))))
        # All is as it was: nothing is left to be healed.
        out = self.run('scan', self.window()).stdout.decode()
        if '0 new, 0 changed, 0 gone' not in out:
            raise Disagreement('the next scan is not quiet: ' + out)

    def other_command(self):
        """A scan of a part, with or without options; a part forgotten; a scan that is killed."""
        what, dirs = self.rng.random(), self.dirs()
        if what < 0.6 and dirs:
            paths = self.rng.sample(dirs, min(len(dirs), self.rng.choice([1, 1, 2])))
            options = self.options()
            self.note('scan ' + ' '.join(options), *paths)
            self.run('scan', '-q', self.window(), *options, *paths, want=(0, 3))
        elif what < 0.75 and dirs:
            d = self.rng.choice(dirs)
            self.note('forget', d)
            self.run('forget', d, want=(0, 2))
        elif what < 0.9:
            self.note('scan, killed')
            p = subprocess.Popen([self.program, '--db', self.db, 'scan', '-q'], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.rng.random() * 0.01)
            p.kill()
            p.wait()
        self.run('check')

    def play(self):
        for _ in range(self.rng.randrange(6, 14)):
            path = self.free_path()
            if path is not None:
                os.mkdir(path)
                self.write(os.path.join(path, 'f'))
        dirs = self.dirs()
        for d in self.rng.sample(dirs, min(len(dirs), self.rng.randrange(1, 5))):
            options = self.options()
            self.note('scan ' + ' '.join(options), d)
            self.run('scan', '-q', self.window(), *options, d)
        for _ in range(self.rng.randrange(3, 8)):
            for _ in range(self.rng.choice([1, 1, 2, 3, 5])):
                self.edit()
            if self.rng.random() < 0.3:
                self.other_command()
            before = self.roots()
            if not before:
                return
            self.compare(before)

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
