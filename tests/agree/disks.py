# SPDX-License-Identifier: MIT
"""Several disks beside a plain computation: volumes, --online, at-risk --one-volume.

A seed (see seeds.py) makes trees on some disks and in two directories, scans them, takes disks and
directories away, edits what is left, and asks.  What each disk holds follows from what the scan met;
states, sets and what is at risk from the bytes that are there now.  An image whose file lies beside
the directories is lost with their disk; one whose file has no name any more stands for a disk of its
own.  Who may not mount has directories only, which are moved away.
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

import redundant  # noqa: E402
import seeds  # noqa: E402
import similar  # noqa: E402

NOBODY = 65534
NAMES = [b'a', b'b', b'c', b'd e', b'n\nl', b'\xff', b'.h', b'-x', b'%d']
CONTENTS = [b'', b'1', b'2', b'33', b'44', b'five5', b'six66', b'L' * 70000 + b'1', b'L' * 70000 + b'2']
OLD, SINCE = 10 ** 9, '2015-01-01'
MEMORY = b'memory'


def path_of(o):
    return base64.b64decode(o['path_b64']) if 'path_b64' in o else o['path'].encode()


def below(path, *dirs):
    return any(path == d or path.startswith(d + b'/') for d in dirs)


class Row:
    """A file as the scan met it, with its volume and the disk below; content is None if it was not, or could not be, read."""

    def __init__(self, path, st, volume, disk, content):
        self.path, self.volume, self.disk, self.content, self.size, self.nlink = path, volume, disk, content, st.st_size, st.st_nlink
        self.inode, self.mtime, self.signature = (st.st_dev, st.st_ino), st.st_mtime, Row.signed(st)

    @staticmethod
    def signed(st):
        return st.st_ino, st.st_size, st.st_mtime_ns, st.st_ctime_ns

    def may_rely_on(self, other):
        """Whether nothing takes the other away that would leave this: memory is gone at the next boot."""
        return other.volume != MEMORY or self.volume == MEMORY

    def key(self):
        return self.content if self.content is not None else self.inode


class Round:
    def __init__(self, program, seed):
        self.program, self.rng, self.told = os.fsencode(program), random.Random(seed), []
        self.dir = os.fsencode(os.path.realpath(tempfile.mkdtemp(prefix='twindex-disks.')))
        self.top, self.away = os.path.join(self.dir, b'top'), os.path.join(self.dir, b'away')
        self.user = {'user': NOBODY, 'group': NOBODY, 'extra_groups': []} if os.getuid() == 0 else {}
        os.chmod(self.dir, 0o777)
        os.mkdir(self.top)
        os.mkdir(self.away)
        self.roots = {}         # directory: its volume, and how that is mounted
        self.loops = {}         # volume: the device of one that is a disk of its own
        for i in range(2):
            self.add_root(b'p%d' % i, 'base')
        for i in range(self.rng.choice([1, 2]) if seeds.own_mounts() else 0):
            self.add_disk(b'm%d' % i)
        self.memory = seeds.own_mounts() and self.rng.random() < 0.3
        if self.memory:
            self.mount(self.add_root(MEMORY, MEMORY, [b'-t', b'tmpfs', b'-o', b'mode=755', b'none']))
        self.offline = set()    # roots

    def note(self, *what):
        self.told.append(' '.join(str(w) for w in what).replace(self.top.decode(), ''))

    def run(self, *args, want=(0, 1, 3)):
        p = subprocess.run([self.program, b'--db', os.path.join(self.dir, b'db'), *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=self.dir, **self.user)
        self.note(b' '.join(args).decode(errors='replace'), '->', p.returncode)
        if p.returncode not in want:
            raise seeds.Disagreement('status %d: %s' % (p.returncode, p.stderr.decode(errors='replace')))
        return p

    def json(self, *args):
        return json.loads(self.run(args[0], b'--json', *args[1:]).stdout.decode())

    # The disks.

    def add_root(self, name, volume, mount=None):
        d = os.path.join(self.top, name)
        os.mkdir(d)
        self.roots[d] = (volume, mount)
        return d

    def add_disk(self, name):
        image = os.path.join(self.dir, b'disk-' + name)
        subprocess.run(['truncate', '-s', '4M', image], check=True)
        subprocess.run(['mkfs.ext4', '-q', '-F', image], check=True, stderr=subprocess.DEVNULL)
        mount = [b'-o', b'loop', image]
        if self.rng.random() < 0.6:
            loop = subprocess.run(['losetup', '-f', '--show', image], check=True, stdout=subprocess.PIPE).stdout.strip()
            self.loops[name] = loop
            os.unlink(image)
            mount = [loop]
        d = self.add_root(name, name, mount)
        self.mount(d)
        shutil.rmtree(os.path.join(d, b'lost+found'), ignore_errors=True)

    def mount(self, d):
        subprocess.run([b'mount', *self.roots[d][1], d], check=True)

    def leave(self, d):
        """Take a root away; it is not changed meanwhile."""
        if self.roots[d][1] is not None:
            subprocess.run([b'umount', d], check=True)
        else:
            os.rename(d, os.path.join(self.away, os.path.basename(d)))
        self.offline.add(d)
        self.note('away', d)

    def come_back(self, d):
        if self.roots[d][1] is not None and self.roots[d][1][0] == b'-t':
            return
        if self.roots[d][1] is not None:
            self.mount(d)
        else:
            os.rename(os.path.join(self.away, os.path.basename(d)), d)
        self.offline.remove(d)
        self.note('back', d)

    def here(self):
        return [d for d in self.roots if d not in self.offline]

    # The trees.

    def dirs(self):
        return sorted(d for r in self.here() for d, _, _ in os.walk(r))

    def files(self):
        return sorted(os.path.join(d, n) for r in self.here() for d, _, names in os.walk(r) for n in names
                      if stat.S_ISREG(os.lstat(os.path.join(d, n)).st_mode))

    def free(self, d):
        name = self.rng.choice(NAMES)
        path = os.path.join(d, name % self.rng.randrange(9) if name == b'%d' else name)
        return None if os.path.lexists(path) else path

    def edit(self, what=None):
        rng, files = self.rng, self.files()
        what = what or rng.choice(['new', 'new', 'change', 'remove', 'mkdir', 'link', 'move', 'symlink'])
        path = self.free(rng.choice(self.dirs()))
        old = rng.choice(files) if files else None
        if what in ('new', 'change'):
            path = path if what == 'new' else old
            if path is not None:
                with open(path, 'wb') as f:
                    f.write(rng.choice(CONTENTS))
                if rng.random() < 0.4:
                    os.utime(path, (OLD, OLD))
        elif path is None or (old is None and what != 'mkdir'):
            return
        elif what == 'mkdir':
            os.mkdir(path)
        elif what == 'remove':
            os.unlink(old)
        elif what == 'symlink':
            os.symlink(b'nowhere', path)
        elif what == 'link':
            if os.lstat(old).st_dev == os.lstat(os.path.dirname(path)).st_dev:
                os.link(old, path)
        elif what == 'move':
            shutil.move(old, path)
        elif what == 'copy':
            if len(self.dirs()) < 30:
                d = rng.choice(self.dirs())
                if not below(path, d):
                    shutil.copytree(d, path, symlinks=True)
        elif what == 'forbid':
            os.chmod(old, 0)
        self.note(what, path, old)

    def make(self):
        for _ in range(self.rng.randrange(2, 8)):
            self.edit('mkdir')
        for _ in range(self.rng.randrange(3, 30)):
            self.edit(self.rng.choice(['new', 'new', 'new', 'link']))
        for _ in range(self.rng.randrange(4)):
            self.edit(self.rng.choice(['copy', 'copy', 'move', 'remove', 'symlink']))
        if self.user and self.rng.random() < 0.25:
            self.edit('forbid')

    # What the index knows.

    def takes(self, path, size):
        options = self.options
        return not (b'--no-hidden' in options and any(p.startswith(b'.') for p in os.path.relpath(path, self.top).split(b'/'))) and \
            not (b'--exclude' in options and os.path.basename(path) == b'b') and not (b'--max-size' in options and size > 60000)

    def taken_dirs(self):
        return {d for d in self.dirs() if all(self.takes(p, 0) for p in self.parents(d))}

    def parents(self, path):
        while path != self.top:
            yield path
            path = os.path.dirname(path)

    def scan(self):
        self.options = self.rng.choice([[], [], [b'--no-hidden'], [b'--exclude', b'b'], [b'--max-size', b'60000']])
        self.run(b'scan', b'-q', b'--racy-window', b'0s', *self.options, *self.roots)
        self.rows, self.known_dirs = {}, self.taken_dirs()
        for path in self.files():
            st = os.lstat(path)
            if os.path.dirname(path) in self.known_dirs and self.takes(path, st.st_size):
                with open(path, 'rb') as f:
                    content = f.read()
                may = not self.user or st.st_mode & 0o004
                volume = self.roots[next(r for r in self.roots if below(path, r))][0]
                self.rows[path] = Row(path, st, volume, volume if volume in self.loops or volume == MEMORY else 'base', content if may else None)
        sizes = {}
        for r in self.rows.values():
            sizes.setdefault(r.size, set()).add(r.inode)
        for r in self.rows.values():
            # One whose size no other has is not read, and needs not to be.
            if r.content is None and (r.size == 0 or len(sizes[r.size]) == 1):
                r.content = b'?' * r.size
        self.unjudged = False

    # What is there now: each row is live, gone, changed, or on a disk that is not there.

    def fate(self, row):
        if below(row.path, *self.offline):
            return 'offline'
        try:
            st = os.lstat(row.path)
        except (FileNotFoundError, NotADirectoryError):
            return 'gone'
        return 'live' if Row.signed(st) == row.signature else 'changed'

    def judge(self, online):
        """The rows by their fate; of those that do not exist, none."""
        fates = {p: self.fate(r) for p, r in self.rows.items()}
        return {fate: [r for p, r in self.rows.items() if fates[p] == fate and not (online and fate == 'offline')]
                for fate in ('live', 'gone', 'changed', 'offline')}

    def beside(self, *tops):
        """Whether something lies there that the scan did not take."""
        return any(p not in self.rows for p in self.files() if below(p, *tops)) or \
            any(d not in self.known_dirs for d in self.dirs() if below(d, *tops))

    def doubts(self, row, fates):
        """Rows that may be a copy of a live one, and can't be judged."""
        lost = fates['offline'] + fates['changed']
        return [r for r in lost if r.content == row.content and r.inode != row.inode and row.may_rely_on(r)] + \
            [r for r in fates['live'] + lost if r.content is None and r.size == row.size]

    def state(self, row, fates):
        if row.size == 0:
            return 'empty'
        if row.content is None:
            return 'unreadable'
        if any(r.content == row.content and r.inode != row.inode and row.may_rely_on(r) for r in fates['live']):
            return 'dup'
        if self.doubts(row, fates):
            return 'unknown'
        return 'linked' if any(r.inode == row.inode and r is not row for r in fates['live'] + fates['offline']) else 'unique'

    # The questions.

    def need(self, condition, *what):
        if not condition:
            raise seeds.Disagreement(' '.join(str(w) for w in what))

    def same(self, got, want, what):
        self.need(got == want, what, '\n    says', got, '\n    is  ', want)

    @staticmethod
    def weigh(rows):
        return sum({r.inode: r.size for r in rows}.values())

    def ask_volumes(self, online):
        want = {}
        gone = {self.roots[d][0] for d in self.offline if self.roots[d][1] is not None}
        rows = [r for r in self.rows.values() if not (online and r.volume in gone)]
        contents = {}
        for r in rows:
            contents.setdefault(r.key(), []).append(r)
        for volume in {r.volume for r in rows}:
            mine = [r for r in rows if r.volume == volume]
            only = [r for r in mine if r.size > 0 and not any(o.disk != r.disk and r.may_rely_on(o) for o in contents[r.key()])]
            want[volume] = (volume not in gone, len(mine), self.weigh(mine), len(only), sum({r.key(): r.size for r in only}.values()))
        got, order = {}, []
        for o in self.json(b'volumes', *[b'--online'] * online)['volumes']:
            volume = self.roots[next(r for r in self.roots if below(path_of(o), r))][0]
            self.need(volume not in got, 'a volume twice', o)
            got[volume] = (o['online'], o['files'], o['bytes'], o['only_files'], o['only_bytes'])
            order.append((not o['online'], -o['bytes']))
        # One on which nothing lies has no file, and may be told.
        self.same({d: v for d, v in got.items() if v[1] > 0}, want, 'volumes')
        self.need(order == sorted(order), 'another order', order)

    def ask_states(self, online):
        fates = self.judge(online)
        option = [b'--online'] * online
        top = self.rng.choice(self.dirs())
        while top not in self.known_dirs:
            top = os.path.dirname(top)
        doc = self.json(b'ls', *option, b'--', top)
        got = {path_of(o): o['state'] for o in doc['files'] if o['state'] not in ('skipped',) and path_of(o) in self.rows}
        want = {r.path: self.state(r, fates) for r in fates['live'] if below(r.path, top)}
        want.update({r.path: fate for fate in ('gone', 'changed') for r in fates[fate] if below(r.path, top)})
        # Where a directory stands in the place of a file, both are told of.
        got, want = ({p: s for p, s in states.items() if not os.path.isdir(p)} for states in (got, want))
        self.same(got, want, 'ls')
        for command, state in ((b'uniques', 'unique'), (b'dups', 'dup')):
            p = self.run(command, b'-0', *option, b'--', top)
            self.same(sorted(p.stdout.split(b'\0')[:-1]), sorted(r for r, s in want.items() if s == state), command)
            doubt = self.beside(top) or {'unknown', 'changed', 'unreadable'} & set(want.values())
            # A link that is away may be all that keeps the file from being unique.
            linked = [self.rows[p] for p, s in want.items() if s == 'linked']
            doubt = doubt or state == 'unique' and any(not any(q.inode == r.inode and q is not r for q in fates['live']) for r in linked)
            self.same(p.returncode, 3 if doubt else 0, '%r: status' % command)

    def named(self, names, online):
        """How many names of an inode are known: also those that are left out on purpose."""
        return len(names) + sum(q.inode == names[0].inode for q in self.rows.values() if online and self.fate(q) == 'offline')

    def ask_report(self, online):
        if self.memory:
            # What of a set goes first is another question.
            return
        fates = self.judge(online)
        contents = {}
        for r in fates['live']:
            if r.size > 0 and r.content is not None:
                contents.setdefault(r.content, []).append(r)
        want = []
        for content, rows in contents.items():
            inodes = {r.inode: [q for q in rows if q.inode == r.inode] for r in rows}
            if len(inodes) > 1:
                go = [n for n in inodes.values() if n[0].nlink == self.named(n, online)]
                want.append((sorted(r.path for r in rows), (len(go) - (len(go) == len(inodes))) * len(content)))
        got = [(sorted(path_of(m) for m in s['members'] if m['kind'] in ('copy', 'link')), s['redundant'])
               for s in self.json(b'report', *[b'--online'] * online)['sets']]
        self.same(sorted(got), sorted(want), 'report')

    def ask_risks(self, online):
        rng, fates = self.rng, self.judge(online)
        options, dirs = [b'--online'] * online, []
        some = lambda: rng.choice([d for d in self.dirs() if d in self.known_dirs])  # noqa: E731
        inside, exclude, newer, one = [], [], rng.random() < 0.3, rng.random() < 0.5
        for chosen, flag in ((inside, b'--in'), (exclude, b'-x')):
            if rng.random() < 0.25:
                chosen += [some() for _ in range(rng.choice([1, 1, 2]))]
                options += [a for d in chosen for a in (flag, d)]
        if inside:
            one = False
        options += [b'--one-volume'] * one + [b'--newer', SINCE.encode()] * newer
        if rng.random() < 0.5:
            dirs = [some() for _ in range(rng.choice([1, 1, 2]))]
        if any(below(d, *exclude) for d in dirs + inside):
            return
        fates = {f: [r for r in rows if not below(r.path, *exclude)] for f, rows in fates.items()}
        # Of what could not be read only the next scan knows that it is gone.
        unread = {r.size for rows in fates.values() for r in rows if r.content is None}
        asked = [r for r in fates['live'] if r.size > 0 and r.content is not None and (not dirs or below(r.path, *dirs)) and
                 (not newer or r.mtime > OLD) and
                 # What has no copy there is asked of what lies elsewhere.
                 (dirs or not inside or not below(r.path, *inside))]

        def copy(of, r):
            return r.content == of.content and r.inode != of.inode and of.may_rely_on(r) and (below(r.path, *inside) if inside else not one or r.disk != of.disk)
        risky, verdicts = {}, {'offline': 0, 'inside': 0, 'unsure': 0}
        for a in asked:
            copies = [r for r in fates['live'] if copy(a, r)]
            if copies:
                names = [r for r in fates['live'] + fates['offline'] if r.content == a.content and a.may_rely_on(r)]
                verdicts['inside'] += bool(dirs) and not inside and all(below(r.path, *dirs) for r in names)
            elif any(copy(a, r) for r in fates['offline']):
                verdicts['offline'] += 1
            elif any(copy(a, r) for r in fates['changed']) or a.size in unread:
                verdicts['unsure'] += 1
            else:
                risky[a.path] = a
        p = self.run(b'at-risk', b'-0', *options, b'--', *dirs)
        self.same(sorted(p.stdout.split(b'\0')[:-1]), sorted(risky), 'at-risk')
        doc = self.json(b'at-risk', *options, b'--', *dirs)
        covered = []
        for o in doc['trees']:
            d, whole = path_of(o), o['state'] == 'at-risk'
            there = [r for r in asked if (below(r.path, d) if whole else os.path.dirname(r.path) == d)]
            mine = [r for r in there if r.path in risky]
            self.same((o['files'], o['of'], o['bytes']), (len(mine), len(there), self.weigh(mine)), o)
            covered += [r.path for r in mine]
        self.same(sorted(covered), sorted(risky), 'directories at risk')
        t = doc['totals']
        self.same((t['files'], t['bytes'], t['offline'], t['inside']),
                  (len(risky), self.weigh(risky.values()), verdicts['offline'], verdicts['inside']), 'totals')

    def ask_contained(self, online):
        """The files of a root, below everything."""
        fates = self.judge(online)
        a = self.rng.choice(self.here())
        p = self.run(b'contained', b'-0', *[b'--online'] * online, b'--', a, self.top)
        left = [r for r in fates['live'] if below(r.path, a) and r.size > 0]
        right = {f: [r for r in rows if not below(r.path, a)] for f, rows in fates.items()}
        want = sorted(r.path for r in left if r.content is not None and not any(q.content == r.content and r.may_rely_on(q) for q in right['live']) and
                      not self.doubts(r, right) and not any(q.inode == r.inode for q in right['offline']))
        self.same(sorted(p.stdout.split(b'\0')[:-1]), want, 'contained')

    def ask_sums(self, online):
        if self.memory:
            return
        fates = self.judge(online)
        rows = [r for f in fates.values() for r in f]
        inodes = {}
        for r in rows:
            if r.size > 0:
                inodes.setdefault(r.key(), {}).setdefault(r.inode, []).append(r)
        doubled = [(k, i) for k, i in inodes.items() if len(i) > 1]
        duplicated = sum(n[0].size for _, i in doubled for n in i.values())
        redundant_bytes = 0
        for _, i in doubled:
            go = [n for n in i.values() if n[0].nlink == self.named(n, online)]
            redundant_bytes += (len(go) - (len(go) == len(i))) * next(iter(i.values()))[0].size
        total = self.json(b'du', *[b'--online'] * online, b'--', self.top)['total']
        self.same((total['files'], total['bytes'], total['duplicated'], total['redundant']),
                  (len(rows), self.weigh(rows), duplicated, redundant_bytes), 'du')

    def ask_similar(self, _):
        """Of what was not edited, and is there."""
        if self.memory or self.unjudged or any(r.content is None for r in self.rows.values()) or self.beside(*self.here()):
            return
        m = similar.Model(self.here(), False)
        rules = similar.Rules(m, [], 50, 1)
        want = [rules.answer(p) for p in rules.pairs()]
        got = [similar.told(o) for o in self.json(b'similar', b'--online')['similar']]
        self.same(got, want, 'similar')

    def ask_redundant(self, online):
        p = self.run(b'redundant', b'-0', *[b'--online'] * online)
        going = p.stdout.split(b'\0')[:-1]
        fates = self.judge(online)
        stays = [r for r in fates['live'] if not below(r.path, *going)]

        def kept(r, among):
            return any(q.content == r.content and r.may_rely_on(q) for q in among)
        for d in going:
            self.need(not self.beside(d), 'redundant, and something lies beside', d)
            for r in self.rows.values():
                if below(r.path, d) and r.size > 0 and r not in fates['gone']:
                    self.need(r in fates['live'] and r.content is not None and kept(r, stays), 'redundant: lost is', r.path)
        # And nothing that could go besides, but what is hidden.  Where a copy on a disk that is
        # away is doubtful for files on a disk, those in memory are not proven either.
        if self.memory and fates['offline']:
            return
        for d in sorted(self.known_dirs):
            if b'/.' in d[len(self.top):]:
                continue
            mine = [r for r in self.rows.values() if below(r.path, d) and r.size > 0]
            if below(d, *going) or not os.path.isdir(d) or self.beside(d) or any(below(g, d) for g in going) or below(d, *self.offline):
                continue
            live = all(r in fates['live'] and r.content is not None for r in mine if r not in fates['gone']) and \
                not any(r.size == 0 and r in fates['changed'] for r in self.rows.values() if below(r.path, d))
            keep = [r for r in stays if not below(r.path, d)]
            self.need(not live or not any(r in fates['live'] for r in mine) or not all(kept(r, keep) for r in mine), 'could go, too:', d, going)

    def ask(self):
        for online in (False, True):
            for question in (self.ask_volumes, self.ask_states, self.ask_report, self.ask_risks, self.ask_risks, self.ask_contained,
                             self.ask_sums, self.ask_similar, self.ask_redundant):
                if self.here():
                    question(online)

    def play(self):
        self.make()
        self.scan()
        for d in list(self.roots):
            if self.rng.random() < 0.35:
                self.leave(d)
        for _ in range(self.rng.choice([0, 0, 1, 4]) if self.here() else 0):
            self.unjudged = True
            self.edit()
        self.ask()
        if self.offline and self.rng.random() < 0.4:
            for d in list(self.offline):
                self.come_back(d)
            self.ask()

    def close(self):
        for d, (_, mount) in self.roots.items():
            if mount is not None and os.path.ismount(d):
                subprocess.run([b'umount', b'-l', d], check=False)
        for loop in self.loops.values():
            subprocess.run([b'losetup', b'-d', loop], check=False)
        shutil.rmtree(self.dir, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
