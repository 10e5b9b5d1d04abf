# SPDX-License-Identifier: MIT
"""Random histories, and every question that people delete by: what an answer says may go goes, in a picture of the disk.

What a seed is seeds.py says; history.py how a history is kept, made shorter and printed.  picture.py is the disk, and
what lasts on it by the words of the manual, acted.py the questions.  As root the tree lies in no temporary directory,
and has disks, memory, bind mounts and overlays.
"""

import functools
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from types import SimpleNamespace

sys.dont_write_bytecode = True

import history  # noqa: E402
import seeds  # noqa: E402
from acted import Acted  # noqa: E402
from author import Author  # noqa: E402
from claims import Disagreement, holds  # noqa: E402
from picture import Picture, Places, below, below_any  # noqa: E402
from truth import connected  # noqa: E402
from world import DISKS, World  # noqa: E402

SCRIPT = history.SCRIPT + r'''# As root, with mounts: unshare -m, and NEWDIR not in /tmp
export HOME="$PWD/t/u" TMPDIR="$PWD/t/tmp"
cpal() { cp -al -T "$1" "$2"; }
tag() { printf 'Signature: 8a477f597d28d172789f06886806bc55' >"$1/CACHEDIR.TAG"; }
renew() { put "$1~" "$2" "$3"; mv -T "$1~" "$1"; }
plug() {
	[ -e "disks/$1" ] || { truncate -s "$3" "disks/$1"; mkfs.$2 -q "disks/$1"; losetup -f --show "disks/$1" >"disks/$1.loop"; }
	case $1 in d1) mount "$(cat disks/d1.loop)" "$4"; rm -f disks/d1; : >disks/d1 ;; *) mount -o loop "disks/$1" "$4" ;; esac
	rm -rf "$4/lost+found"
}
memory() { mount -t tmpfs none "$1"; }
bind() { mount --bind "$1" "$2"; }
overlay() { mkdir -p "$2" "$2.work"; mount -t overlay -o "lowerdir=$1,upperdir=$2,workdir=$2.work" none "$3"; }
'''
TAG, TAG_TEXT = 'CACHEDIR.TAG', b'Signature: 8a477f597d28d172789f06886806bc55'
OWN = ('d1',)
COMMANDS = ('ask', 'act', 'script', 'plan', 'decide', 'scan', 'kill', 'refresh', 'forget', 'mark')
HOME = 't/u'
TRASH = HOME + '/.local/share/Trash/files'
PLACES = ['t/a', 't/a/s', 't/b', 't/b/s', 't/.h', 't/old', TRASH, HOME + '/.cache', HOME + '/.cache/x', HOME, 't/k', 't/k/d', 't/tmp',
          't/b/.snapshots/1/snapshot', 't/timeshift/snapshots/1', 't/m1', 't/m2', 't/m1/.Trash-0/files', 't/ov']
NAMES = ['f', 'g', 'k', 'x', '.d', 'f.bak', 'f~', 'Copy of f', '\udcff', 'n\nl', '-r']
# Of a default run each of these must have let something go so often, of more seeds more often.
DEFAULT = 24
WANTED = {'contained': 8, 'safe': 8, 'uniques -x': 8, 'at-risk --files': 8, 'redundant': 8, 'file': 8, 'dups': 8, 'report --copies': 8,
          'compare': 1, 'similar': 2, 'marks': 2, 'rm -n': 4, 'rm': 4, 'diff': 10, 'volumes': 10}


class Row:
    """A row of the index, with the content that the file had when it was as the row says."""

    __slots__ = ('path', 'signature', 'volume', 'size', 'hash', 'sha', 'kinds')

    def __init__(self, path, volume, inode, size, mtime, mtime_nsec, ctime, ctime_nsec, hash, contents, kinds):
        self.path, self.volume, self.size, self.hash, self.kinds = path, volume, size, hash, kinds
        self.signature = inode, size, mtime * 10**9 + mtime_nsec, ctime * 10**9 + ctime_nsec
        self.sha = contents.get(self.signature)

    @property
    def ino(self):
        return self.volume, self.signature[0]


class Field(World):
    """A world that is judged by nothing but what its answers let go."""

    def __init__(self, program, nobody, where, disks):
        super().__init__(program, nobody, False, where, disks)
        self.program.env.update(HOME=self.at(HOME), TMPDIR=self.at('t/tmp'))
        # A disk whose image has no name is one of its own; others lie on the disk of their files.
        self.loops, self.own = {}, set()
        # Directories of which the index has a tag.
        self.tags = set()
        self.overlays, self.contents, self.now, self.known_rows = {}, {}, None, None
        self.scanned, self.viewed, self.plain = None, False, not nobody
        self.acted = Acted(self)

    def run(self, words, statuses):
        return self.program.run(words, statuses)

    # What is so now.

    def places(self):
        memory = {p for p, name in self.plugged.items() if name == 'memory'}
        memory |= {o for o, (_, upper) in self.overlays.items() if below_any(upper, memory)}
        temporary = {self.at('t/tmp'), '/tmp', '/var/tmp'}
        return Places(temporary, memory, self.tags)

    def picture(self):
        if self.now is None:
            self.now = Picture(self.top, ('x', 'disks'), self.places(), {o: upper for o, (_, upper) in self.overlays.items()})
            self.contents.update((n.signature, n.sha) for n in self.now.names.values())
        return self.now

    def index(self):
        """Rows, directories and roots."""
        if self.known_rows is None:
            self.picture()
            rows, dirs, roots, places = {}, {}, [], self.places()
            db = self.program.env['TWINDEX_DB']
            if os.path.exists(db):
                with connected(db) as c:
                    if c.execute("SELECT count(*) FROM sqlite_master WHERE name = 'root_view'").fetchone()[0]:
                        rows, dirs, roots = self.read(c, places)
            self.known_rows = rows, dirs, roots
            devices = {os.lstat(p).st_dev for p, name in self.plugged.items() if name in OWN}
            there = {d: self.now.dirs[d] for d in dirs if d in self.now.dirs}
            self.own |= {dirs[d][0] for d, st in there.items() if st.st_dev in devices and st.st_ino == dirs[d][1]}
            self.seen_tags({os.path.dirname(p) for p, r in rows.items() if os.path.basename(p) == TAG and r.size >= len(TAG_TEXT)})
        return self.known_rows

    def seen_tags(self, tags):
        if tags != self.tags:
            self.tags, self.now, self.known_rows = tags, None, None
            self.index()

    def read(self, c, places):
        dirs, number = {}, {}
        raw = {i: (parent, os.fsdecode(r if r is not None else name.encode())) for i, parent, name, r in
               c.execute('SELECT id, parent, name, name_raw FROM dir')}

        def path(i):
            if i not in number:
                parent, name = raw[i]
                number[i] = name if parent == 0 else os.path.join(path(parent), name)
            return number[i]
        for i, volume, inode in c.execute('SELECT id, volume, inode FROM dir').fetchall():
            dirs[path(i)] = volume, inode
        rows = {}
        for d, name, r, *v in c.execute('SELECT dir_id, name, name_raw, volume_id, inode, size, mtime, mtime_nsec, ctime, ctime_nsec, hash '
                                        'FROM file_view'):
            p = os.path.join(path(d), os.fsdecode(r) if r is not None else name)
            rows[p] = r = Row(p, *v, self.contents, {kind for kind, _ in places.reasons(os.path.dirname(p))})
            there = self.now.names.get(p)
            if there is None or there.signature != r.signature:
                # What is mounted there now is not where it lies.
                r.kinds -= {'memory'}
        return rows, dirs, [p for (p,) in c.execute('SELECT path FROM root_view')]

    def rows(self):
        return self.index()[0]

    def known(self, g):
        """Whether the index has it as it is, by one of the paths that lead there."""
        rows = self.rows()
        return any(p in rows and rows[p].signature == g.signature for p in self.picture().paths(g))

    def new_tag(self, p):
        """Whether it lies in a cache that no scan has seen tagged."""
        return any(below(p, os.path.dirname(t)) for t in self.picture().names
                   if os.path.basename(t) == TAG and os.path.dirname(t) not in self.tags)

    def disk_of(self, g):
        """An image lies on the disk of its file, here with all others."""
        mounts = [p for p in self.plugged if below(g.path, p) and self.plugged[p] != 'bind']
        name = self.plugged[max(mounts, key=len)] if mounts else None
        return name if name in OWN or name == 'memory' else None

    def offline(self, p):
        """Whether its root or its disk is away, or something is mounted over it."""
        rows, dirs, roots = self.index()
        there = self.picture().names.get(p)
        if there is not None and p in rows and rows[p].signature == there.signature:
            return False
        dev, base = os.lstat(self.top).st_dev, {v for d, (v, i) in dirs.items() if d in self.now.dirs and
                                               (self.now.dirs[d].st_dev, self.now.dirs[d].st_ino) == (os.lstat(self.top).st_dev, i)}
        above = [r for r in roots if below(p, r)]
        covered = any(below(p, d) and st.st_dev != dev for d, st in self.now.dirs.items())
        return any(r not in self.now.dirs for r in above) or p in rows and rows[p].volume not in base or covered

    def volume_of(self, d):
        return self.index()[1].get(d, (None,))[0]

    def view(self):
        """For the author of edits."""
        p = self.picture()
        blind = {d for d, st in p.dirs.items() if st.st_mode & 0o5 != 0o5} | {f for f in p.names if os.lstat(f).st_mode & 0o4 == 0}
        return SimpleNamespace(disk=SimpleNamespace(files=p.names, dirs=p.dirs, blind=blind),
                               index=SimpleNamespace(roots=[SimpleNamespace(path=r) for r in self.index()[2]]))

    # Steps.

    def do(self, step):
        try:
            if step[0] in COMMANDS:
                self.picture()
                self.wait_for_the_clock()
                getattr(self, 'do_' + step[0])(*[list(map(self.word, s)) if isinstance(s, tuple) else s for s in step[1:]])
                return True
            self.spare_layers(step)
            getattr(self, 'do_' + step[0])(*step[1:])
        except OSError:
            if step[0] in COMMANDS:
                raise
            self.now = self.known_rows = None
            return False
        self.now, self.known_rows, self.exact = None, None, False
        return True

    def spare_layers(self, step):
        """What an overlay shows when its layers change meanwhile is not defined."""
        paths = [self.at(w) for w in step[1:] if isinstance(w, str) and self.word(w) != w]
        layers = [d for low, up in self.overlays.values() for d in (low, up, up + '.work')] + list(self.overlays)
        moves = step[0] in ('mv', 'rm', 'swap', 'plug', 'memory', 'bind', 'overlay')
        for o, (low, up) in self.overlays.items():
            if step[0] != 'unplug' and any(below_any(p, [low, up]) for p in paths) or \
                    moves and any(below(d, p) for d in layers for p in paths):
                raise OSError
        # What makes a tag of a cache is its name and its size: another size is not played.
        if os.path.basename(paths[-1] if paths else '') == TAG and step[0] in ('put', 'cp', 'mv', 'swap', 'renew'):
            raise OSError
        if step[0] == 'unplug' and any(p != o and (below_any(d, paths)) for p in paths for o, pair in self.overlays.items() for d in pair):
            raise OSError

    def do_mv(self, a, b):
        if os.path.isdir(self.at(a)):
            self.plain = self.plain and not a.startswith('o') and not b.startswith('o')
        super().do_mv(a, b)

    def do_ln(self, a, b):
        self.plain = self.plain and a.startswith('t') and b.startswith('t')
        super().do_ln(a, b)

    def do_renew(self, path, size, letter):
        if not stat.S_ISREG(os.lstat(self.at(path)).st_mode):
            raise OSError
        self.do_put(path + '~', size, letter)
        os.rename(self.at(path + '~'), self.at(path))

    def do_cpal(self, a, b):
        if below(b, a) or 'bind' in self.plugged.values() or os.path.lexists(self.at(b)) or not stat.S_ISDIR(os.lstat(self.at(a)).st_mode) or \
                any(below(p, self.at(a)) for p in self.plugged) or os.lstat(self.at(a)).st_dev != os.lstat(self.at(os.path.dirname(b))).st_dev:
            raise OSError
        shutil.copytree(self.at(a), self.at(b), symlinks=True, copy_function=functools.partial(os.link, follow_symlinks=False))

    def do_tag(self, d):
        with open(os.path.join(self.at(d), TAG), 'wb') as f:
            f.write(TAG_TEXT)

    # Mounts.

    def mount(self, name, path, *words):
        if not self.disks or self.at(path) in self.plugged or not os.path.isdir(self.at(path)) or \
                subprocess.run(['mount', *words, self.at(path)], stderr=subprocess.DEVNULL).returncode != 0:
            raise OSError
        self.plugged[self.at(path)] = name
        self.plain = False

    def do_plug(self, name, kind, path):
        if name not in OWN:
            super().do_plug(name, kind, path)
        elif name in self.plugged.values():
            raise OSError
        else:
            self.mount(name, path, self.loop(name, kind))
            shutil.rmtree(os.path.join(self.at(path), 'lost+found'), ignore_errors=True)
        self.plain = False

    def loop(self, name, kind):
        """The device of a disk of its own."""
        if name not in self.loops:
            image = self.at('disks/' + name)
            os.makedirs(self.at('disks'), exist_ok=True)
            with open(image, 'wb') as f:
                f.truncate(DISKS[kind])
            subprocess.run(['mkfs.' + kind, '-q', image], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.loops[name] = subprocess.run(['losetup', '-f', '--show', image], stdout=subprocess.PIPE).stdout.decode().strip()
            os.unlink(image)
        return self.loops[name]

    def close(self):
        for path in sorted(self.plugged, reverse=True):
            subprocess.run(['umount', '-l', path], stderr=subprocess.DEVNULL)
        for loop in self.loops.values():
            subprocess.run(['losetup', '-d', loop], stderr=subprocess.DEVNULL)
        super().close()

    def do_memory(self, path):
        self.mount('memory', path, '-t', 'tmpfs', 'none')

    def do_bind(self, a, path):
        if not os.path.isdir(self.at(a)):
            raise OSError
        self.mount('bind', path, '--bind', self.at(a))

    def do_overlay(self, low, up, path):
        if not os.path.isdir(self.at(low)) or not self.disks:
            raise OSError
        for d in (up, up + '.work'):
            os.makedirs(self.at(d), exist_ok=True)
        self.mount('overlay', path, '-t', 'overlay', '-o', 'lowerdir=%s,upperdir=%s,workdir=%s.work' %
                   (self.at(low), self.at(up), self.at(up)), 'none')
        self.overlays[self.at(path)] = self.at(low), self.at(up)
        self.viewed = True

    def do_unplug(self, path):
        super().do_unplug(path)
        self.overlays.pop(self.at(path), None)

    # Commands.

    def changed(self, words, statuses):
        """A command that writes to the index."""
        self.exact, self.scanned, self.known_rows = False, None, None
        try:
            return self.run(words, statuses)[0]
        finally:
            self.known_rows = None

    def do_scan(self, options, paths):
        before = dict(self.rows())
        status = self.changed(['scan', '-q'] + options + paths, (0, 2, 3, 5, 6))
        if any(o.startswith(('--no-hidden', '--exclude', '--min-size', '-X')) for o in options):
            self.plain = False
        if status == 0 and '--max-time' not in options:
            self.scanned = (before, dict(self.rows())) if before else None
        self.exact = status == 0 and not paths and self.plain and '--max-time' not in options

    def do_kill(self, name, delay, options, paths):
        self.exact, self.scanned = False, None
        p = self.program.start(['scan', '-q'] + options + paths, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay / 1000)
        p.kill()
        p.wait()
        self.known_rows = None

    def do_refresh(self, paths):
        self.changed(['refresh', '-q'] + paths, (0, 2, 3, 5))

    def do_forget(self, paths):
        self.changed(['forget'] + paths, (0, 2, 5))

    def do_mark(self, verb, paths):
        exact = self.exact
        self.changed(['mark', verb] + paths, (0, 1, 2, 3, 5))
        self.exact = exact

    def do_act(self, words):
        before = self.picture()
        # 6: where nobody may write.
        self.changed(words, (0, 1, 2, 3, 5, 6))
        self.acted_on(words, before)

    def acted_on(self, words, before):
        self.now = self.known_rows = None
        self.acted.removed(words, before)
        holds(self.run(['check'], (0, 5))[0] in (0, 5), 'check')

    def do_script(self, words):
        """Run the script that rmsh prints."""
        before = self.picture()
        self.exact, self.scanned = False, None
        script = self.program.start(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).communicate()[0]
        subprocess.run(['sh', '-s'], input=script, cwd=self.top, env=dict(self.program.env, TWINDEX=self.program.path),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.program.how)
        self.acted_on(words, before)

    def do_plan(self, words):
        """Keep a plan for later."""
        out = self.program.start(words + ['--json'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).communicate()[0]
        with open(self.at('x/plan'), 'wb') as f:
            f.write(out)

    def do_decide(self, answers, words):
        self.exact, self.scanned = False, None
        self.program.n += 1
        subprocess.run([self.program.path, 'decide', *words], input='\n'.join(answers.split(' ')).encode() + b'\n', cwd=self.top, env=self.program.env,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, **self.program.how)
        self.known_rows = None

    def do_ask(self, words):
        if self.index()[2]:
            self.picture()
            self.acted.ask(words)


class Fate(Author):
    """Makes up the steps."""

    def __init__(self, rng, world):
        super().__init__(rng, world)
        self.letters = rng.choice(['AB', 'AB', 'ABC'])
        self.places = rng.sample(PLACES, rng.randrange(4, 10))
        self.sizes = [0, 1, 1, 3, 3, 5000, 200000] if rng.random() < 0.3 else [1, 3, 5000]
        # What makes every question hard is left out of most histories.
        self.options = rng.random() < 0.25
        self.mounts = rng.random() < 0.5 and bool(world.disks)
        self.scanned_in_parts = rng.random() < 0.5

    def dirs(self, top='t'):
        # Of a trash, only what was put into its files is known.
        return [d for d in super().dirs(top) if not d.endswith(('/Trash', '/.Trash-0'))]

    def a_place(self):
        there = [d for d in self.dirs() if d != 't']
        return self.rng.choice(self.places if self.chance(0.4) or not there else there)

    def new(self):
        r = self.rng
        if self.chance(0.5) or not self.files():
            return ('put', '%s/%s' % (self.a_place(), r.choice(NAMES)), r.choice(self.sizes), r.choice(self.letters))
        return ('cp', self.file(), '%s/%s' % (r.choice(self.dirs() or ['t']), r.choice(NAMES)))

    def mount(self):
        r, dirs = self.rng, [d for d in self.dirs() if d != 't'] or ['t/m1']
        kind = r.choice(['plug', 'plug', 'memory', 'bind', 'bind', 'overlay', 'overlay', 'unplug', 'unplug', 'unplug'])
        if kind == 'plug':
            d = r.choice(['t/m1', 't/m2', r.choice(dirs)])
            return [('mkdir', d), ('plug', *r.choice(self.w.disks), d)]
        if kind == 'memory':
            d = r.choice(['t/m1', 't/m2', 'o/mem', 't/tmp', r.choice(dirs)])
            return [('mkdir', d), ('memory', d)]
        if kind == 'bind':
            d = r.choice(['t/m2', 't/ov', r.choice(dirs)])
            return [('mkdir', d), ('bind', r.choice(dirs), d)]
        if kind == 'overlay':
            d = r.choice(['t/ov', 't/ov', r.choice(dirs)])
            return [('mkdir', d), ('overlay', r.choice(dirs), r.choice(['o/up', 'o/mem/up', 't/up']), d)]
        return [('unplug', self.short(r.choice(sorted(self.w.plugged))))] if self.w.plugged else []

    def edit(self):
        r = self.rng
        if self.mounts and self.chance(0.3):
            return self.mount()
        if self.chance(0.35):
            return super().edit()
        kind = r.choice(['new', 'new', 'new', 'cpal', 'cpal and edit', 'tag', 'renew', 'stamp', 'trash', 'copy of a tree', 'rm'])
        if kind == 'new':
            return [self.new()]
        if kind == 'cpal':
            return [('cpal', self.dir(), self.place(['snap', 'a', 'b']))]
        if kind == 'cpal and edit':
            d, to = self.dir(), self.place(['snap', 'snap2'])
            inside = [f for f in self.files() if below(f, d)] or ['t/f']
            return [('cpal', d, to), (r.choice(['poke', 'stamp']), r.choice(inside), 0, r.choice('ABZ')),
                    ('scan', ('--racy-window', '0'), (to,))]
        if kind == 'tag':
            return [('tag', self.dir())]
        if kind == 'renew':
            return [('renew', self.file(), r.choice(self.sizes), r.choice(self.letters))]
        if kind == 'stamp':
            return [(r.choice(['poke', 'stamp']), self.file(), 0, r.choice('ABZ'))]
        if kind == 'trash':
            return [('mkdir', TRASH), ('mkdir', HOME + '/.local/share/Trash/info'),
                    (r.choice(['mv', 'mv', 'ln', 'cp']), self.file(), '%s/%s' % (TRASH, r.choice(NAMES)))]
        if kind == 'copy of a tree':
            d, to = self.dir(), self.place(['c', 'old', 'backup'])
            return [('mkdir', to)] + [('cp', f, to + '/' + os.path.basename(f)) for f in self.files() if os.path.dirname(f) == d][:6]
        return [('rm', self.file())]

    def command(self):
        if self.chance(0.1):
            answers = [self.rng.choice(['1', '1', '2', '3', 'all', 'k', 's', 'n', 'l', 'u', 'g', '']) for _ in range(6)]
            return ('decide', ' '.join(answers), tuple(self.rng.choice([[], [self.where()], ['--elsewhere', self.where()]])))
        if self.chance(0.1):
            return ('plan', ('rm', '-n', '-r', self.where()))
        if self.chance(0.05):
            return ('mark', 'keep', ('--others', self.where()))
        step = super().command()
        if step[0] == 'scan' and not self.options:
            # Options that choose stay with a root for ever.
            step = ('scan', tuple(self.scan_options()), step[2])
        elif step[0] == 'scan' and self.chance(0.2):
            step = ('scan', step[1] + (self.rng.choice(['-X', '--hash-all']),), step[2] or ('t',))
        return step

    def where(self):
        """A directory to ask about."""
        r = self.rng
        dirs = [d for d in self.dirs()] or ['t']
        return r.choice(dirs) if self.chance(0.7) else r.choice(self.roots() + ['t'])

    def ask(self):
        r, kind = self.rng, self.rng.choice(['contained', 'contained', 'safe', 'safe', 'uniques', 'uniques', 'uniques', 'at-risk', 'at-risk', 'redundant',
                                             'redundant', 'file', 'dups', 'ls', 'report', 'report', 'compare', 'similar', 'marks', 'rm', 'volumes'])
        d = self.where()
        words = [kind]
        if kind in ('contained', 'compare'):
            words += [d, self.where()]
        elif kind == 'safe':
            words += r.choice([[d], [d, self.where()], [d, self.where(), self.where()]])
        elif kind == 'uniques':
            words += r.choice([['-x', d, d], ['-x', d, d], [d], ['-x', self.where(), d], ['--in', self.where(), d], ['--online', '-x', d, d]])
        elif kind == 'at-risk':
            words += ['--files'] + r.choice([[], [], ['--in', self.where()], ['--one-volume'], ['--online'], ['-x', self.where()]])
            words += r.choice([[], [d], [d], ['t']])
        elif kind == 'redundant':
            words += r.choice([[], [], [], ['--in', self.where()], ['--include-hidden'], ['--outside-links'], ['-x', self.where()],
                               ['--protect', self.where()]]) + r.choice([[], [], [d], [d], [d, self.where()]])
        elif kind == 'file':
            words += [self.file('o' if self.chance(0.1) else 't') for _ in range(2)] if self.chance(0.5) else [d]
        elif kind in ('dups', 'ls'):
            words += r.choice([[], ['-x', self.where()], ['--in', self.where()] if kind == 'dups' else []]) + [d]
        elif kind == 'report':
            words += r.choice([[], ['--copies', '1'], ['--copies', '1'], ['--copies', '2']]) + r.choice([[], [d]])
        elif kind == 'similar':
            words += r.choice([[], [], [d]])
        elif kind == 'rm':
            words = ['rm', '-n'] + r.choice([['-r', d], ['-r', d], ['-r', '--include-hidden', d], ['-r', '--in', self.where(), d], ['--marked']])
        return ('ask', tuple(words))

    def act(self):
        d = self.where()
        if self.chance(0.2):
            return ('script', tuple(['rmsh', '-r', d] + self.rng.choice([[], ['--portable'], ['--soft'], ['--hard']])))
        if self.chance(0.5) and os.path.exists(self.w.at('x/plan')):
            return ('act', ('rm', '--plan', 'x/plan'))
        return ('act', tuple(self.rng.choice([['rm', '--yes', '-r', d], ['rm', '--yes', '-r', '--include-hidden', d], ['rm', '--yes', '--marked'],
                                              ['rm', '--yes', '-r', '--in', self.where(), d], ['rm', '--yes', '--trash', '-r', d], ['undo'],
                                              ['link', '--yes', '--hard', '-r', d], ['link', '--yes', '--soft', '-r', d]])))

    def everything(self):
        """All questions, in a tree where mostly everything is known."""
        d, e = self.where(), self.where()
        yield from [('ask', w) for w in (
            ('contained', d, e), ('contained', e, 't'), ('safe', d), ('safe', e, 't'), ('uniques', '-x', d, d), ('uniques', '-x', e, e), ('uniques', 't'), ('uniques', '--in', e, d),
            ('at-risk', '--files'), ('at-risk', '--files', d), ('at-risk', '--files', '--one-volume'), ('at-risk', '--files', '--in', e),
            ('redundant',), ('redundant', d), ('dups', 't'), ('ls', 't'), ('file', d), ('report',), ('report', '--copies', '1'), ('compare', d, e),
            ('similar',), ('volumes',), ('rm', '-n', '-r', d))]
        yield ('mark', self.rng.choice(['drop', 'drop', 'keep']), (d,))
        yield from [('ask', ('marks',)), ('ask', ('rm', '-n', '--marked'))]

    def steps(self):
        r = self.rng
        for d in self.places:
            if self.chance(0.6):
                yield ('mkdir', d)
        if self.mounts:
            for _ in range(r.randrange(3)):
                yield from self.mount()
        for _ in range(r.randrange(5, 14)):
            yield self.new()
        if self.chance(0.3):
            yield ('tag', 't/k')
        for _ in range(r.randrange(3)):
            yield ('ln', self.file(), self.place(['l1', 'l2']))
        dirs = [d for d in self.dirs() if d.count('/') == 1] or ['t']
        first = ['t'] if self.chance(0.6) else r.sample(dirs, min(len(dirs), r.choice([1, 2, 3])))
        options = self.choosing_options() if self.options else []
        yield ('scan', tuple(self.scan_options() + options), tuple(first))
        for _ in range(r.randrange(2, 6)):
            for _ in range(r.choice([0, 1, 1, 2, 3])):
                yield from self.edit()
            if self.chance(0.15):
                yield self.act()
            else:
                yield self.command() if self.scanned_in_parts else ('scan', ('--racy-window', '0'), ())
                yield ('ask', ('diff',))
            for _ in range(r.choice([2, 4, 6])):
                yield self.ask()
        yield ('scan', ('--racy-window', '0'), ())
        yield ('ask', ('diff',))
        yield from self.everything()
        yield self.act()


class Play(history.Play):
    """One seed."""

    def __init__(self, program, seed, disks, where):
        super().__init__(program, seed, [])
        self.where, self.nobody = where, disks and self.rng.random() < 0.15
        self.disks = [('d%d' % i, 'ext4') for i in range(2)] if disks else []
        self.counts = {}

    def world(self):
        return Field(self.program, self.nobody, self.where, self.disks)

    def run(self):
        w, steps, failure = self.world(), [], None
        try:
            for step in Fate(self.rng, w).steps():
                steps.append(step)
                try:
                    done = w.do(step)
                except Disagreement as e:
                    if e.kind not in history.KNOWN:
                        raise
                    self.known.append(e.kind)
                    done = False
                if not done:
                    steps.pop()
        except Disagreement as e:
            failure = e
        except Exception:
            failure = Disagreement('tester', traceback.format_exc())
        finally:
            w.close()
        self.counts = dict(w.acted.counts)
        return steps, failure, w.program.n


def command_line(step):
    if step[0] == 'act':
        return history.command_line(('ask', *step[1:]))
    if step[0] == 'script':
        return history.command_line(('ask', *step[1:]))[4:] + ' | TWINDEX="$T" sh -s'
    if step[0] == 'plan':
        return history.command_line(('ask', *step[1:]))[4:] + ' --json >x/plan'
    if step[0] == 'decide':
        return "echo '%s' | tr ' ' '\\n' | %s" % (step[1], history.command_line(('ask', ('decide', *step[2])))[4:])
    return history.command_line(step)


@functools.cache
def field_of(there):
    """Where the trees lie: as root at a path that is no temporary directory."""
    if not seeds.own_mounts() or subprocess.run(['mount', '--bind', there, '/mnt'], stderr=subprocess.DEVNULL).returncode != 0:
        return there, False
    return '/mnt', shutil.which('mkfs.ext4') is not None


def run_seed(job):
    program, seed, tell, there = job
    where, disks = field_of(there)
    play = Play(program, seed, disks, where)
    steps, failure, n = play.run()
    text = None
    if failure is not None and failure.kind not in history.KNOWN:
        full = len(steps)
        if failure.kind != 'tester' and history.SHRINK_SECONDS > 0:
            steps, failure = play.shrink(steps, failure)
        text = 'seed %d%s, %d of %d steps:\n%s%s\n# %s\n' % (seed, ', as nobody' if play.nobody else '', len(steps), full, SCRIPT, '\n'.join(map(command_line, steps)), failure)
    elif tell:
        print('\n'.join(map(command_line, steps)))
    return play.known + ([failure.kind] if failure is not None else []), text, n, play.counts


def main():
    program, numbers, tell = seeds.chosen()
    sys.stdout.reconfigure(errors='surrogateescape')
    there = tempfile.mkdtemp(prefix='twindex-oracle.')
    os.chmod(there, 0o755)
    copy = shutil.copy(program, there)
    jobs = [(copy, seed, tell, there) for seed in numbers]
    kinds, counts, commands, began = {}, {}, 0, time.monotonic()
    try:
        for failed, text, n, seen in seeds.beside_one_another(run_seed, jobs):
            commands += n
            if text is not None:
                print('FAIL: ' + text, flush=True)
            for kind in failed:
                kinds[kind] = kinds.get(kind, 0) + 1
            for name, (asked, yes) in seen.items():
                old = counts.get(name, (0, 0))
                counts[name] = old[0] + asked, old[1] + yes
    finally:
        shutil.rmtree(there, ignore_errors=True)
    for name, (asked, yes) in sorted(counts.items()):
        print('%6d asked, %6d let something go: %s' % (asked, yes, name))
    # Acts by their command, whatever their options.
    counts['rm'] = tuple(map(sum, zip((0, 0), *[n for name, n in counts.items() if name.startswith('rm ') and '-n' not in name])))
    idle = [name for name, least in WANTED.items() if counts.get(name, (0, 0))[1] < len(jobs) // DEFAULT * least]
    print('%d seeds, %d commands in %.1f s, %d failures%s' % (len(jobs), commands, time.monotonic() - began, sum(kinds.values()),
                                                              ''.join(', seldom yes: ' + name for name in idle)))
    for kind in sorted(kinds, key=kinds.get, reverse=True):
        print('%6d  %s%s' % (kinds[kind], kind, ' (known)' if kind in history.KNOWN else ''))
    return 1 if set(kinds) - history.KNOWN or idle else 0


if __name__ == '__main__':
    sys.exit(main())
