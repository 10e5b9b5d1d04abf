# SPDX-License-Identifier: MIT
"""diff beside the states that the index had: every difference is explained, once, and truly.

A seed (see seeds.py) changes a tree, and has scans, refreshes, partial and killed scans and acts see
it.  After each run it keeps what the index holds: path, inode, size and time of modification, which
here stand for one content, for no two writes get the same time.  Then, for pairs of these states,
the answer of diff must carry the one into the other.
"""

import base64
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

CONTENTS = [b'a', b'b', b'same size 1', b'same size 2', b'same size 3', b'x' * 100000, b'y' * 100000, b'x' * 99999 + b'z', b'']
NAMES = [b'a', b'b', b'c', b'.h', b'\xff', b'n\nl', b'sp ace', b'"q"', b'\xc3\xa9']
DIRS = [b'd', b'e', b'f', b'.g', b'\xfe']


def below(path, d):
    return path == d or path.startswith(d + b'/')


class Round:
    def __init__(self, program, seed):
        if os.getuid() == 0:
            # Else nothing is unreadable.
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
        self.program = program
        self.seed = seed
        self.random = random.Random(seed)
        self.dir = os.fsencode(tempfile.mkdtemp(prefix='twindex-diff'))
        self.dir = os.path.realpath(self.dir)
        self.tree = os.path.join(self.dir, b'tree')
        self.db = os.path.join(self.dir, b'index.db')
        self.told = ['seed %d' % seed]
        self.clock = 1500000000
        self.forbids = self.random.random() < 0.4
        self.content = {}       # signature -> content
        self.states = {0: {}}   # run -> path -> signature
        self.hashed = {0: {}}   # run -> path -> hash or None
        self.now = {}

    @staticmethod
    def remove(top):
        if os.path.lexists(top):
            os.chmod(top, 0o700)
        for d, subs, _ in os.walk(top):
            for s in subs:
                os.chmod(os.path.join(d, s), 0o700)
        shutil.rmtree(top, ignore_errors=True)

    def close(self):
        self.remove(self.dir)

    def tell(self, *words):
        self.told.append(' '.join(w if isinstance(w, str) else repr(w) for w in words))

    def run(self, *args, ok=(0,)):
        p = subprocess.run([self.program, '--db', self.db, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if p.returncode not in ok:
            raise seeds.Disagreement('%r exits with %d: %s' % (args, p.returncode, p.stderr.decode(errors='replace')))
        return p

    # The tree.

    def walk(self):
        dirs, files = [], []
        for d, ds, fs in os.walk(self.tree):
            dirs.append(d)
            files += [os.path.join(d, f) for f in fs]
        return sorted(dirs), sorted(files)

    def write(self, path, data):
        with open(path, 'wb') as f:
            f.write(data)
        self.clock += 1
        os.utime(path, (self.clock, self.clock))

    def change(self, what=None):
        try:
            self.change_something(what)
        except PermissionError:
            # It was made unreadable before; what was on its way is gone.
            self.remove(os.path.join(self.dir, b'aside'))

    def change_something(self, what):
        r = self.random
        dirs, files = self.walk()
        what = what or r.choice(['new', 'new', 'new', 'mkdir', 'mkdir', 'mkdir', 'rmdir', 'mvdir', 'edit', 'edit', 'rm', 'rm', 'mv', 'mv', 'mvdir', 'mvdir', 'rmdir', 'link', 'copy', 'chmod',
                         'replace', 'swap', 'cpdir', 'act', *['forbid'] * self.forbids])
        d = r.choice(dirs)
        path = os.path.join(d, r.choice(NAMES))
        if what == 'new' and not os.path.lexists(path):
            self.write(path, r.choice(CONTENTS))
            self.tell('new', path)
        elif what == 'mkdir':
            sub = os.path.join(d, r.choice(DIRS))
            if not os.path.lexists(sub) and len(dirs) < 12:
                os.mkdir(sub)
                for n in r.sample(NAMES, r.randint(0, 3)):
                    self.write(os.path.join(sub, n), r.choice(CONTENTS))
                self.tell('mkdir', sub)
        elif what == 'edit' and files:
            path = r.choice(files)
            self.write(path, r.choice(CONTENTS))
            self.tell('edit', path)
        elif what == 'rm' and files:
            path = r.choice(files)
            os.unlink(path)
            self.tell('rm', path)
        elif what == 'mv' and files and not os.path.isdir(path):
            old = r.choice(files)
            os.rename(old, path)
            self.tell('mv', old, path)
        elif what == 'mvdir' and len(dirs) > 1:
            old = r.choice(dirs[1:])
            new = os.path.join(d, r.choice(DIRS))
            if not os.path.lexists(new) and not below(new, old):
                os.rename(old, new)
                self.tell('mvdir', old, new)
        elif what == 'rmdir' and len(dirs) > 1:
            old = r.choice(dirs[1:])
            shutil.rmtree(old)
            self.tell('rmdir', old)
        elif what == 'link' and files and not os.path.lexists(path):
            old = r.choice(files)
            os.link(old, path)
            self.tell('link', old, path)
        elif what == 'copy' and files and not os.path.lexists(path):
            old = r.choice(files)
            with open(old, 'rb') as f:
                self.write(path, f.read())
            self.tell('copy', old, path)
        elif what == 'chmod' and files:
            path = r.choice(files)
            os.chmod(path, r.choice([0o600, 0o644]))
            self.tell('chmod', path)
        elif what == 'forbid' and len(dirs) > 1:
            path = r.choice(files + dirs[1:])
            self.look()
            os.chmod(path, 0)
            self.tell('forbid', path)
        elif what == 'replace' and len(dirs) > 1:
            # As programs save: a new file, or directory, in the place of the old one.
            old = r.choice(dirs[1:])
            aside = os.path.join(self.dir, b'aside')
            os.rename(old, aside)
            os.mkdir(old)
            for n in sorted(os.listdir(aside)):
                if os.path.isfile(os.path.join(aside, n)) and r.random() < 0.7:
                    with open(os.path.join(aside, n), 'rb') as f:
                        self.write(os.path.join(old, n), f.read())
            shutil.rmtree(aside)
            self.tell('replace', old)
        elif what == 'swap' and len(dirs) > 2:
            a, b = r.sample(dirs[1:], 2)
            if not below(a, b) and not below(b, a):
                aside = os.path.join(self.dir, b'aside')
                os.rename(a, aside)
                os.rename(b, a)
                os.rename(aside, b)
                self.tell('swap', a, b)
        elif what == 'cpdir' and len(dirs) > 1 and len(dirs) < 12:
            old = r.choice(dirs[1:])
            new = os.path.join(d, r.choice(DIRS))
            if not os.path.lexists(new) and not below(new, old):
                os.mkdir(new)
                for n in sorted(os.listdir(old)):
                    if os.path.isfile(os.path.join(old, n)):
                        with open(os.path.join(old, n), 'rb') as f:
                            self.write(os.path.join(new, n), f.read())
                self.tell('cpdir', old, new)
        elif what == 'act' and files and os.path.exists(self.db):
            if r.random() < 0.6:
                path = r.choice(files)
                p = self.run('rm', '-q', '-y', path, ok=(0, 1, 2, 3, 5))
                self.tell('twindex rm', path, str(p.returncode))
            else:
                p = self.run('undo', '-q', '-y', ok=(0, 1, 2, 3, 5))
                self.tell('twindex undo', str(p.returncode))

    # The index.

    def rows(self):
        """What it holds: path -> (signature, hash)."""
        db = sqlite3.connect('file:%s?mode=ro' % os.fsdecode(self.db), uri=True)
        db.text_factory = bytes
        dirs = {}
        for i, parent, name, raw in db.execute('SELECT id, parent, name, name_raw FROM dir'):
            dirs[i] = (parent, raw if raw is not None else name)
        rows = {}
        for d, name, raw, inode, size, sec, nsec, digest in db.execute(
                'SELECT dir, name, name_raw, inode, size, mtime, mtime_nsec, hash FROM file'):
            path = raw if raw is not None else name
            while d:
                d, up = dirs.get(d, (-1, b''))
                if d < 0:
                    break
                path = up + b'/' + path
            if d == 0:
                rows[path] = ((inode, size, sec * 10 ** 9 + nsec), digest)
        last = db.execute('SELECT coalesce(max(id), 0) FROM scan').fetchone()[0]
        db.close()
        return rows, last

    def look(self):
        """Learn which content each signature on the disk stands for."""
        for path in self.walk()[1]:
            st = os.lstat(path)
            if not os.access(path, os.R_OK):
                continue
            with open(path, 'rb') as f:
                self.content[st.st_ino, st.st_size, st.st_mtime_ns] = f.read()

    def keep(self, run=True):
        rows, last = self.rows()
        self.now = {p: s for p, (s, _) in rows.items()}
        self.now_hashed = {p: h for p, (_, h) in rows.items()}
        # One that was killed before it began is none.
        if run and last not in self.states:
            self.states[last] = self.now
            self.hashed[last] = self.now_hashed
        self.tell('state', str(last), str(len(rows)))

    def see(self):
        r = self.random
        what = r.choice(['scan', 'scan', 'scan', 'scan', 'refresh', 'part', 'kill', 'rehash'])
        window = '--racy-window', '0s'
        self.look()
        if not os.path.exists(self.db) or what == 'scan':
            self.run('scan', '-q', *window, self.tree, ok=(0, 3))
        elif what == 'rehash':
            self.run('scan', '-q', '--rehash', *window, self.tree, ok=(0, 3))
        elif what == 'refresh':
            self.run('refresh', '-q', *window, ok=(0, 3))
        elif what == 'part':
            self.run('scan', '-q', *window, r.choice(self.walk()[0]), ok=(0, 3))
        else:
            p = subprocess.Popen([self.program, '--db', self.db, 'scan', '-q', *window, self.tree],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(r.random() * 0.012)
            p.kill()
            p.wait()
            what = 'kill'
        self.tell(what)
        self.keep()

    # The answers.

    def ask(self, a, b, *options):
        args = ['diff', '--json', *options, str(a)] + ([] if b is None else [str(b)])
        p = self.run(*args, ok=(0, 1, 3))
        answer = json.loads(p.stdout)

        def path(c, key):
            if c.get(key + '_b64') is not None:
                return base64.b64decode(c[key + '_b64'])
            return os.fsencode(c[key]) if c[key] is not None else None
        changes = [dict(c, before=path(c, 'before'), after=path(c, 'after')) for c in answer['changes']]
        return p.returncode, changes, answer['totals']

    def check(self, a, b):
        was = self.states[a]
        state = self.now if b is None else self.states[b]
        was_hash = self.hashed[a]
        is_hash = self.now_hashed if b is None else self.hashed[b]
        status, changes, totals = self.ask(a, b, '--each', '--new', '--changed', '--moved', '--gone', '--lost', '--touched')
        wrong = '%s to %s: ' % (a, b)

        def need(condition, *words):
            if not condition:
                raise seeds.Disagreement(wrong + ' '.join(str(w) for w in words) + '\n' + '\n'.join(map(str, changes)))

        moves = {c['before']: c for c in changes if c['directory'] and c['class'] == 'moved'}
        files = {}
        for c in changes:
            if c['directory']:
                need(c['class'] == 'moved', 'a directory with --each', c)
            else:
                files.setdefault(c['class'], []).append(c)
        gone = [c['before'] for c in files.get('gone', [])]
        new = [c['after'] for c in files.get('new', [])]
        moved = {c['before']: c['after'] for c in files.get('moved', [])}
        altered = {c['before']: c for c in files.get('changed', []) + files.get('touched', [])}
        need(len(set(gone)) == len(gone) and len(set(new)) == len(new), 'a path twice')

        # Every file of the former state: gone, moved, or where its directory is now.
        stays, carried = {}, dict.fromkeys(moves, 0)
        for path in was:
            fate = (path in gone) + (path in moved)
            need(fate <= 1, path, 'is gone and moved')
            if fate:
                continue
            to, top = path, None
            for d in moves:
                if below(path, d) and (top is None or len(d) > len(top)):
                    top = d
            if top is not None:
                to = moves[top]['after'] + path[len(top):]
            if path in altered and altered[path]['after'] != to:
                # It was found again at its path, in a directory that took the place of its own.
                need(altered[path]['after'] == path, path, 'is somewhere else')
                to, top = path, None
            if top is not None and to not in state and path in state:
                to, top = path, None
            need(to in state, path, 'is not explained')
            need(to not in stays.values(), to, 'comes from two')
            stays[path] = to
            if top is not None:
                carried[top] += 1
        targets = list(stays.values()) + list(moved.values()) + new
        need(len(set(targets)) == len(targets), 'something came from two')
        need(set(targets) == set(state), 'not explained:', set(state) ^ set(targets))
        need(set(gone) <= set(was) and set(moved) <= set(was) and set(altered) <= set(was), 'something was not there')
        for d, c in moves.items():
            need(c['files'] == carried[d], d, 'carried', carried[d], 'files, not', c['files'])

        # What became of the contents.
        def content(signature):
            return self.content.get(signature)

        for path, to in stays.items():
            same = content(was[path]) == content(state[to])
            listed = altered.get(path)
            if listed is None:
                need(was[path] == state[to], path, 'changed, and is not listed')
            elif listed['class'] == 'touched':
                need(same or listed['maybe'], path, 'is touched, and has another content')
                # What was read later under the same signature is known of the earlier state, too.
                need(same or listed['maybe'], path, 'was not compared')
                need(not listed['maybe'] or (state[to][1] > 0 and (was_hash[path] is None or is_hash[to] is None)), path, 'was compared')
            else:
                need(not same or was_hash[path] is None or is_hash[to] is None, path, 'is changed, and has the same content')
        for path, to in moved.items():
            need(content(was[path]) == content(state[to]), path, 'has moved, and has another content')
        signatures = {state[p] for p in new}
        contents = {content(state[p]) for p in new if is_hash[p] is not None and state[p][1] > 0}
        for path in gone:
            need(path not in new, path, 'is gone and new')
            need(was[path] not in signatures, path, 'is gone, and the same file is new')
            need(was_hash[path] is None or content(was[path]) not in contents, path, 'is gone, and its content is new')

        # What is lost.
        there = {content(s) for s in self.now.values()}
        candidates = {p: content(was[p]) for p in gone}
        candidates.update({p: content(was[p]) for p, c in altered.items() if c['class'] == 'changed'})
        lost = {c['before']: c for c in files.get('lost', [])}
        need(set(lost) <= set(candidates), 'something is lost that neither is gone nor changed')
        for path, data in candidates.items():
            if path not in lost:
                need(data in there or data == b'', path, 'is not lost, and its content is nowhere')
            elif not lost[path]['maybe']:
                need(data not in there and data != b'', path, 'is lost, and its content is there')
        for key, n in (('new', len(new)), ('gone', len(gone)), ('changed', len(files.get('changed', []))), ('touched', len(files.get('touched', []))),
                       ('moved', len(moved) + sum(carried.values())), ('lost', sum(not c['maybe'] for c in lost.values())),
                       ('maybe', sum(c['maybe'] for c in lost.values()))):
            need(totals[key]['files'] == n, 'the totals of', key, 'are', totals[key], 'not', n)
        need(status in ((3,) if totals['maybe']['files'] or totals['uncompared']['files'] else (3, 1 if changes else 0)), 'the status is', status)

        # Directories as a whole say the same.
        status2, folded, totals2 = self.ask(a, b, '--new', '--changed', '--moved', '--gone', '--lost', '--touched')
        need(status2 == status and totals2 == totals, 'without --each the totals are', totals2)
        for c in folded:
            if c['directory'] and c['class'] != 'moved':
                key = 'after' if c['class'] == 'new' else 'before'
                inside = [p for p in (new if c['class'] == 'new' else gone) if below(p, c[key])]
                # What a directory that was in it, and still is somewhere, has lost, is listed beside it.
                listed = sum(o['files'] for o in folded if o['class'] == c['class'] and below(o[key], c[key]))
                need(len(inside) == listed, c, 'has', len(inside))
                other = was if c['class'] == 'new' else state
                need(not any(below(p, c[key]) for p in other), c, 'was there before, or is there still')

    def play(self):
        r = self.random
        os.mkdir(self.tree)
        for _ in range(r.randint(0, 6)):
            self.change('mkdir')
        for _ in range(r.randint(0, 8)):
            self.change()
        for _ in range(r.randint(2, 6)):
            self.see()
            for _ in range(r.randint(0, 6)):
                self.change()
        self.see()
        if r.random() < 0.3:
            for _ in range(4):
                self.change()
            self.look()
            self.keep(False)
        runs = sorted(self.states)
        p = self.run('check', ok=(0, 1))
        if p.returncode:
            raise seeds.Disagreement('check: ' + p.stdout.decode())
        pairs = [(a, b) for a in runs for b in runs + [None] if b is None or b > a]
        r.shuffle(pairs)
        for a, b in pairs[:6]:
            self.check(a, b)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
