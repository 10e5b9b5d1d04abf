# SPDX-License-Identifier: MIT
"""Random decisions, acts, edits, scans and kills: no content ever disappears by an act.

Each seed (see seeds.py) makes a tree with hostile names and many copies, and plays steps with it: edits (whose losses are
the user's own), scans, marks, and acts.  Before and after every act the disk is read.  Whatever the act was told, and
wherever it was killed:

 - every content is still there, under the work directory (which holds the trash, too);
 - a name that is gone was asked for, and a name with the same content that was there before stays;
 - a file that is not replaced by a link keeps its content, inode, mode and time;
 - a link leads to the content that the name had;
 - undo of an act that nothing followed brings paths, contents, modes and times back;
 - what a rescue copies is whole, at its place, and has mode and time; nothing that was there changes, and where it says
   that all of a directory is elsewhere now, so it is;
 - recover leaves no name of ours behind, and the index is sound.

At the end everything is scanned, and everything redundant goes: of each content one inode stays.
"""

import hashlib
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

sys.dont_write_bytecode = True

import seeds  # noqa: E402
from seeds import Disagreement  # noqa: E402
from tree import Tree, show  # noqa: E402

STEPS = 24
RULES = ['first-path', 'shortest-path', 'longest-path', 'shallowest', 'deepest', 'newest', 'oldest', 'most-links', 'root-order',
         'name:*a*', 'regex:[0-9]$']
# To the questions of decide; r and h remove or link what is marked then.
ANSWERS = ['1', '1', '2', '3', 'all', 'k', 's', 'n', 'l', 'u', 'g', 'd', '.', 'r', 'h', 'q', '']
OURS = b'.twindex-'


class Name:
    """A name on the disk: what it leads to."""

    __slots__ = ('kind', 'ino', 'size', 'mode', 'mtime', 'content', 'to')

    def __init__(self, path):
        st = os.lstat(path)
        self.kind, self.ino, self.size, self.mode, self.mtime = stat.S_IFMT(st.st_mode), st.st_ino, st.st_size, st.st_mode, st.st_mtime_ns
        self.content = self.to = None
        if self.kind == stat.S_IFREG:
            with open(path, 'rb') as f:
                self.content = hashlib.sha256(f.read()).digest()
        elif self.kind == stat.S_IFLNK:
            self.to = os.readlink(path)

    def restored(self):
        """What undo must bring back."""
        return self.kind, self.content, self.to, self.mode, self.mtime if self.kind == stat.S_IFREG else None


def snapshot(top):
    """Every name below top, but for directories."""
    found = {}
    for d, subs, names in os.walk(top):
        for n in names + [s for s in subs if os.path.islink(os.path.join(d, s))]:
            path = os.path.join(d, n)
            found[path] = Name(path)
    return found


def contents(names):
    return {n.content for n in names.values() if n.content is not None and n.size > 0}


def below(path, tops):
    return any(path == t or path.startswith(t + b'/') for t in tops)


class Round:
    """One seed."""

    def __init__(self, program, seed):
        self.program, self.rng = program, random.Random(seed)
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-acts.')))
        self.top = os.path.join(self.dir, b'top')
        os.mkdir(self.top)
        self.env = dict(os.environ, HOME=os.fsdecode(self.dir), XDG_DATA_HOME=os.fsdecode(os.path.join(self.dir, b'data')),
                        TWINDEX_DB=os.fsdecode(os.path.join(self.dir, b'index.db')), ASAN_OPTIONS='detect_leaks=0')
        self.tree = Tree(self.top, self.rng, mmaps=False)
        self.told = self.tree.log
        self.last_act = None     # the disk before the act that nothing has followed
        self.protected = []      # directories that the act must not touch

    def close(self):
        self.tree.close()
        shutil.rmtree(self.dir, ignore_errors=True)

    # The program.

    def note(self, args, status):
        self.told.append('twindex ' + ' '.join(show(a, self.top) if isinstance(a, bytes) else a for a in args) + '   # %s' % status)

    def run(self, *args, killed_after=None, answers=None):
        """Run it; killed after so many seconds.  Returns the exit status, None if it was killed."""
        p = subprocess.Popen([self.program, '-q', *args], env=self.env, cwd=self.top,
                             stdin=subprocess.PIPE if answers is not None else subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if killed_after is not None:
            time.sleep(killed_after)
            p.send_signal(signal.SIGKILL)
        out, err = p.communicate(answers)
        if p.returncode < 0 and killed_after is None or b'Assert' in err or b'Sanitizer' in err or b'runtime error' in err:
            raise Disagreement('twindex %r: %d %s' % (args, p.returncode, os.fsdecode(err)))
        self.note(args, 'killed' if p.returncode < 0 else p.returncode)
        self.out, self.err = out, err
        return p.returncode if p.returncode >= 0 else None

    def quietly(self, *args):
        status = self.run(*args)
        if status != 0:
            raise Disagreement('twindex %r: %d %s' % (args, status, os.fsdecode(self.err)))

    # Steps.

    def operands(self):
        paths = [self.tree.some_file() if self.rng.random() < 0.5 else self.tree.some_dir() for _ in range(self.rng.choice([1, 1, 2, 3]))]
        return [p for p in paths if p is not None] or [self.top]

    def step_edit(self):
        for _ in range(self.rng.choice([1, 1, 2, 4])):
            self.tree.edit()
        self.last_act = None

    def step_scan(self):
        if self.rng.random() < 0.2:
            self.run('refresh')
        else:
            self.run('scan', self.top if self.rng.random() < 0.8 else self.tree.some_dir())

    def step_mark(self):
        how = self.rng.choice(['drop', 'drop', 'keep', 'clear'])
        self.run('mark', how, '--', *self.operands())

    def step_rm(self):
        options = self.options(['--trash'])
        if self.rng.random() < 0.3:
            options.append('--prune-empty')
        self.act('rm', options)

    def step_link(self):
        self.act('link', ['--' + self.rng.choice(['hard', 'hard', 'soft', 'reflink'])] + self.options([]))

    def step_decide(self):
        options = self.options([])
        # It acts by rm --marked, also on what was marked before.
        self.protected = []
        answers = [self.rng.choice(ANSWERS) for _ in range(self.rng.choice([3, 8, 20]))]
        self.told.append('printf ' + repr('\\n'.join(answers)))
        self.act('decide', options, [self.top if self.rng.random() < 0.6 else self.tree.some_dir()], False, ('\n'.join(answers) + '\n').encode())

    def step_undo(self):
        if self.last_act is None:
            self.act('undo', [], [])
            return
        before, self.last_act = self.last_act, None
        status = self.act('undo', [], [], False)
        if status is None:
            return
        after = snapshot(self.top)
        was, now = ({p: n.restored() for p, n in names.items() if below(p, [self.top])} for names in (before, after))
        if was != now:
            raise Disagreement('undo (%d) leaves\n%s\n%s' % (status, '\n'.join('  %s is not as before: %s, %s' % (show(p, self.top), was.get(p), now.get(p))
                for p in sorted(set(was) | set(now)) if was.get(p) != now.get(p)), os.fsdecode(self.err)))

    def step_rescue(self):
        """What exists nowhere else is copied out of a directory."""
        top = self.tree.some_dir()
        to = os.path.join(self.tree.some_dir() if self.rng.random() < 0.7 else self.dir, b'rescued%d' % self.rng.randrange(3))
        before = snapshot(self.dir)
        killed_after = self.rng.choice([0.002, 0.004, 0.006, 0.01, 0.02]) if self.rng.random() < 0.2 else None
        dry = self.rng.random() < 0.1
        status = self.run('safe', '--yes', '--rescue', to, *(['-n'] if dry else []), '--', top, killed_after=killed_after)
        if killed_after is not None and self.run('recover') == 0 and any(os.path.basename(p).startswith(OURS) for p in snapshot(self.top)):
            raise Disagreement('recover leaves a name of ours')
        if status not in (None, 0, 1, 2, 3):
            raise Disagreement('safe --rescue: status %s: %s' % (status, os.fsdecode(self.err)))
        after = snapshot(self.dir)
        for path, n in before.items():
            if below(path, [self.top]) and (path not in after or after[path].restored() != n.restored() or after[path].ino != n.ino):
                raise Disagreement('a rescue changed ' + show(path, self.top))
        for path, n in after.items():
            if path in before or not below(path, [self.top, to]):
                continue
            was = before.get(os.path.join(top, os.path.relpath(path, to)))
            if dry or status == 2 or not below(path, [to]) or was is None or n.restored() != was.restored():
                raise Disagreement('a rescue made ' + show(path, self.top))
        outside = contents({p: n for p, n in after.items() if not below(p, [top])})
        if status == 0 and not dry and contents({p: n for p, n in after.items() if below(p, [top])}) - outside:
            raise Disagreement('not all of %s is elsewhere after a rescue that says so' % show(top, self.top))
        self.last_act = before if status is not None and not dry and self.changed(before, after) else None
        self.quietly('check')

    def options(self, special):
        rng = self.rng
        options = [o for o in special if rng.random() < 0.3]
        self.protected = [self.tree.some_dir()] if rng.random() < 0.15 else []
        if rng.random() < 0.5:
            options.append('--include-hidden')
        if rng.random() < 0.3:
            options.append('--keep=' + ','.join(rng.sample(RULES, rng.choice([1, 1, 2, 3]))))
        if rng.random() < 0.1:
            options += ['--copies', '2']
        for d in self.protected:
            options += ['--protect', d]
        return options

    def act(self, command, options, operands=None, may_be_dry=True, answers=None):
        """An act, perhaps killed, and everything that must hold after it.  Returns its exit status, None if it was killed."""
        before = snapshot(self.dir)
        by_paths = command in ('rm', 'link')
        marked = by_paths and self.rng.random() < 0.25
        if operands is None:
            operands = [] if marked and self.rng.random() < 0.6 else self.operands()
        if by_paths:
            options += ['-r', '--yes'] + (['--marked'] if marked else [])
        dry = may_be_dry and self.rng.random() < 0.1
        killed_after = self.rng.choice([0.002, 0.004, 0.006, 0.01, 0.02]) if not dry and self.rng.random() < 0.2 else None
        status = self.run(command, *options, *(['-n'] if dry else []), '--', *operands, killed_after=killed_after, answers=answers)
        self.content_stays(before)
        if killed_after is not None:
            recovered = self.run('recover')
            left = [p for p in snapshot(self.top) if os.path.basename(p).startswith(OURS)]
            if recovered == 0 and left:
                raise Disagreement('recover leaves %s' % left)
            self.content_stays(before)
        elif status not in (0, 1, 3) and not (status == 2 and b'is not in the index' in self.err):
            raise Disagreement('%s: status %s: %s' % (command, status, os.fsdecode(self.err)))
        after = snapshot(self.dir)
        if command != 'undo':
            self.names_are_right(before, after, operands if operands and by_paths else [self.top], dry)
            self.last_act = before if status is not None and not dry and self.changed(before, after) else None
        else:
            self.last_act = None
        self.quietly('check')
        return status

    def changed(self, before, after):
        was, now = ({p: (n.ino, n.content) for p, n in names.items() if below(p, [self.top])} for names in (before, after))
        return was != now

    def content_stays(self, before):
        after = snapshot(self.dir)
        lost = contents({p: n for p, n in before.items() if below(p, [self.top])}) - contents(after)
        if lost:
            raise Disagreement('content is lost: ' + ', '.join(show(p, self.top) for p, n in sorted(before.items()) if n.content in lost))

    def names_are_right(self, before, after, tops, dry):
        stays = defaultdict(set)
        for path, n in after.items():
            if n.content is not None and path in before and before[path].content == n.content and before[path].ino == n.ino:
                stays[n.content].add(path)
        for path, n in before.items():
            if not below(path, [self.top]):
                continue
            now = after.get(path)
            if now is not None and (now.kind, now.ino, now.content, now.mode, now.mtime, now.to) == (n.kind, n.ino, n.content, n.mode, n.mtime, n.to):
                continue
            if dry:
                raise Disagreement('-n changed ' + show(path, self.top))
            if below(path, self.protected):
                raise Disagreement('%s was protected' % show(path, self.top))
            if not below(path, tops) or n.kind != stat.S_IFREG or n.size == 0:
                raise Disagreement('nobody asked for ' + show(path, self.top))
            if not stays[n.content]:
                raise Disagreement('no copy of %s that was there stays' % show(path, self.top))
            if now is not None and not self.is_link_of(path, now, n):
                raise Disagreement('%s is another file than before' % show(path, self.top))
        for path in after:
            if path not in before and below(path, [self.top]):
                raise Disagreement('there is a new name: ' + show(path, self.top))

    @staticmethod
    def is_link_of(path, now, was):
        if now.kind == stat.S_IFLNK:
            with open(path, 'rb') as f:
                return hashlib.sha256(f.read()).digest() == was.content
        return now.kind == stat.S_IFREG and now.content == was.content

    # A round.

    def all_goes(self):
        """Everything redundant goes, if all is told."""
        self.run('mark', 'clear', '--', self.top)
        time.sleep(0.02)
        if self.run('scan', self.top) not in (0, 1):
            return
        status = self.run('rm', '-r', '--yes', '--include-hidden', '--', self.top)
        inodes = defaultdict(set)
        for path, n in snapshot(self.top).items():
            if n.content is not None and n.size > 0:
                inodes[n.content].add(n.ino)
        twice = [c for c, i in inodes.items() if len(i) > 1]
        if twice:
            raise Disagreement('%d contents are there more than once (rm: %s %s)' % (len(twice), status, os.fsdecode(self.err)))

    def play(self):
        os.mkdir(os.path.join(self.top, b'd'))
        self.tree.fixed.add(os.path.join(self.top, b'd'))
        self.tree.make(self.rng.choice([2, 4, 6]), self.rng.choice([8, 20, 40]))
        steps = [self.step_edit, self.step_scan, self.step_scan, self.step_mark, self.step_rm, self.step_rm,
                 self.step_link, self.step_link, self.step_undo, self.step_undo, self.step_decide, self.step_decide,
                 self.step_rescue, self.step_rescue]
        self.run('scan', self.top)
        for _ in range(STEPS):
            self.rng.choice(steps)()
        before = snapshot(self.dir)
        self.all_goes()
        self.content_stays(before)
        self.quietly('check')


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
