# SPDX-License-Identifier: MIT
"""What happens next in a history: steps at random, chosen by what is there."""

import os

from truth import below

SIZES = [0, 1, 1, 3, 3, 5000, 5000, 200000]


class Author:
    """Makes up the steps of a history, looking at what is there."""

    def __init__(self, rng, world):
        self.rng, self.w = rng, world
        self.letters = 'AB' if rng.random() < 0.7 else 'A'

    def short(self, path):
        return os.path.relpath(path, self.w.top)

    def chance(self, p):
        return self.rng.random() < p

    def dirs(self, top='t'):
        return sorted(self.short(d) for d in self.w.view().disk.dirs if below(d, self.w.at(top)))

    def files(self, top='t'):
        return sorted(self.short(f) for f in self.w.view().disk.files if below(f, self.w.at(top)))

    def roots(self):
        return sorted(self.short(r.path) for r in self.w.view().index.roots)

    def dir(self):
        """A directory that commands and edits of directories meet: often a root, mostly one that is there."""
        roots = [r for r in self.roots() if r != 't']
        if roots and self.chance(0.5):
            return self.rng.choice(roots)
        return self.rng.choice([d for d in self.dirs() if d != 't'] or ['t/a'])

    def file(self, top='t'):
        return self.rng.choice(self.files(top) or ['t/f'])

    def place(self, names, top='t'):
        parents = [d for d in self.dirs(top) if d.count('/') < 4]
        return '%s/%s' % (self.rng.choice(parents or [top]), self.rng.choice(names))

    def edit(self):
        r = self.rng
        kinds = [('new', 12), ('twin', 14), ('link', 9), ('change', 9), ('rm', 5), ('mv', 5), ('mkdir', 3),
                 ('move dir', 6), ('away', 6), ('back', 8), ('replace', 5), ('swap dirs', 4), ('rm dir', 2),
                 ('dir to file', 1), ('sym', 1), ('outside', 4)]
        if self.w.nobody:
            kinds += [('chmod', 8)]
        if self.w.disks:
            kinds += [('plug', 20), ('unplug', 14)]
        kind = r.choices([k for k, _ in kinds], [n for _, n in kinds])[0]
        file_names = ['f', 'g', 'k', 'x', '.d']
        dir_names = ['a', 'b', 's', 'x', '.h', '.cache']
        if kind == 'new':
            return [('put', self.place(file_names), r.choice(SIZES), r.choice(self.letters))]
        if kind == 'twin':
            to = self.place(file_names) if self.chance(0.8) else self.file()
            return [('cp', self.file('o' if self.chance(0.1) else 't'), to)]
        if kind == 'link':
            a, b = ('t', 't') if self.chance(0.7) else r.choice([('o', 't'), ('t', 'o')])
            return [('ln', self.file(a), self.place(file_names + ['l1', 'l2'], b))]
        if kind == 'change':
            f = self.file('o' if self.chance(0.15) else 't')
            size = getattr(self.w.view().disk.files.get(self.w.at(f)), 'size', 1) or 1
            verb = 'poke' if self.w.trust or self.chance(0.6) else 'stamp'
            return [(verb, f, r.choice([0, size - 1, size // 2]), r.choice('ABC'))]
        if kind == 'rm':
            return [('rm', self.file('o' if self.chance(0.1) else 't'))]
        if kind == 'mv':
            to = self.place(file_names) if self.chance(0.7) else self.file()
            return [(r.choice(['mv', 'mv', 'swap']), self.file(), to)]
        if kind == 'mkdir':
            return [('mkdir', self.place(dir_names))]
        if kind == 'move dir':
            return [('mv', self.dir(), self.place(dir_names) if self.chance(0.6) else self.dir())]
        if kind == 'away':
            return [('mv', self.dir(), 'o/' + r.choice('123'))]
        if kind == 'back':
            return [('mv', 'o/' + r.choice('123'), self.dir() if self.chance(0.6) else self.place(dir_names))]
        if kind == 'replace':
            d, to = self.dir(), 'o/' + r.choice('123')
            inside = [f for f in self.files() if below(f, d)]
            steps = [('mv', d, to), ('mkdir', d)] if self.chance(0.7) else [('rm', d), ('mkdir', d)]
            if inside and steps[0][0] == 'mv' and self.chance(0.7):
                f = r.choice(inside)
                steps += [('mkdir', os.path.dirname(f)), ('cp', to + f[len(d):], f)]
            elif self.chance(0.5):
                steps += [('put', d + '/f', r.choice(SIZES), r.choice(self.letters))]
            return steps
        if kind == 'swap dirs':
            return [('swap', self.dir(), self.dir())]
        if kind == 'rm dir':
            return [('rm', self.dir())]
        if kind == 'dir to file':
            d = self.dir()
            return [('rm', d), ('put', d, 1, 'A')]
        if kind == 'sym':
            return [('sym', 's', self.place(file_names))]
        if kind == 'outside':
            return [('put', self.place(file_names, 'o'), r.choice(SIZES), r.choice(self.letters))]
        if kind == 'plug':
            return [('plug', *r.choice(self.w.disks), self.dir() if self.chance(0.7) else self.place(dir_names))]
        if kind == 'unplug':
            return [('unplug', self.short(r.choice(sorted(self.w.plugged))))] if self.w.plugged else []
        if kind == 'chmod':
            blind = self.w.view().disk.blind
            back = sorted(p for p in blind if not any(below(p, q) and p != q for q in blind))
            if back and self.chance(0.6):
                p = self.short(r.choice(back))
                return [('chmod', '755' if os.path.isdir(self.w.at(p)) else '644', p)]
            return [('chmod', r.choice(['0', '0', '444']), self.dir() if self.chance(0.5) else self.file())]

    def scan_options(self):
        r, options = self.rng, ['--racy-window', '0']
        if self.chance(0.1):
            options = ['--racy-window', '60s']
        if self.chance(0.15):
            options.append('--verify')
        if self.chance(0.1):
            options.append('--rehash')
        if self.chance(0.3):
            options.append('--threads=%d' % r.choice([1, 2, 4]))
        return options

    def choosing_options(self):
        """Options that are stored with a root."""
        r, options = self.rng, []
        if self.chance(0.4):
            options += ['--no-hidden']
        if self.chance(0.4):
            options += ['--exclude', r.choice(['x', '/s', '/a', 's'])]
        if self.chance(0.2):
            options += ['--min-size', '2']
        if not options:
            options = ['--exclude', 'zz']
        return options + (['--trust-mtime'] if self.w.trust else [])

    def command(self):
        r = self.rng
        kinds = [('scan all', 32), ('scan root', 10), ('scan part', 10), ('scan options', 8), ('refresh', 6),
                 ('forget', 5), ('kill', 8), ('max-time', 4), ('mark', 14)]
        kind = r.choices([k for k, _ in kinds], [n for _, n in kinds])[0]
        options = self.scan_options()
        paths = [self.dir()] + ([self.dir()] if self.chance(0.3) else [])
        roots = self.roots() or ['t']
        if kind == 'scan all':
            return ('scan', tuple(options), ())
        if kind == 'scan root':
            return ('scan', tuple(options), tuple(r.sample(roots, min(len(roots), r.choice([1, 1, 2])))))
        if kind == 'scan part':
            return ('scan', tuple(options), tuple(paths))
        if kind == 'scan options':
            return ('scan', tuple(options + self.choosing_options()), tuple(paths))
        if kind == 'refresh':
            return ('refresh', () if self.chance(0.6) else tuple(paths))
        if kind == 'forget':
            return ('forget', tuple(paths) if self.chance(0.6) else (self.file(),))
        if kind == 'kill':
            name = r.choice(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT'])
            return ('kill', name, round(r.random() * 14, 1), tuple(options), () if self.chance(0.7) else tuple(paths))
        if kind == 'max-time':
            return ('scan', tuple(options + ['--max-time', '1ms']), () if self.chance(0.7) else tuple(paths))
        verb = r.choice(['drop', 'drop', 'drop', 'keep', 'clear', 'undo', 'undo'])
        return ('mark', verb, () if verb == 'undo' else tuple(paths) if self.chance(0.6) else (self.file(),))

    def ask(self):
        r, words = self.rng, []
        kind = r.choice(['ls', 'ls', 'dups', 'uniques', 'uniques', 'uniques', 'file', 'file', 'report', 'report',
                         'usage', 'where', 'marks', 'check', 'info'])
        d = 't' if self.chance(0.5) else self.dir()
        if kind in ('ls', 'dups', 'uniques', 'report', 'file'):
            if self.chance(0.15):
                words.append('-H')
            elif self.chance(0.15):
                words.append('-I')
            if self.chance(0.3):
                words += ['-x', self.dir()]
        if kind == 'ls':
            return ('ask', tuple(['ls'] + words + (['-v'] if self.chance(0.5) else []) + [d]))
        if kind == 'uniques' and self.chance(0.5):
            return ('ask', ('uniques', '-x', d, d))
        if kind in ('dups', 'uniques'):
            return ('ask', tuple([kind] + words + [d]))
        if kind == 'file':
            return ('ask', tuple(['file'] + words + [self.file('o' if self.chance(0.2) else 't')] +
                                 ([self.file()] if self.chance(0.2) else [])))
        if kind == 'report':
            tops = r.choice([[], ['t'], [self.dir()], ['--across', self.dir(), self.dir()]])
            return ('ask', tuple(['report'] + words + tops))
        if kind == 'usage':
            return ('ask', (r.choice(['du', 'waste', 'tree']), d))
        if kind == 'where':
            return ('ask', ('where', r.choice(['f', 'g', 'k', 'a', 's', '.d'])))
        return ('ask', (kind,))

    def everything(self):
        """Every question once: about all, and about one directory."""
        d = self.dir()
        files = self.files()
        asks = [('ls', '-v', 't'), ('dups', 't'), ('uniques', 't'), ('uniques', '-x', d, d), ('report',),
                ('report', '-H'), ('tree', '--depth', '0', 't'), ('where', 'f'), ('marks',), ('info',)]
        if files:
            asks.append(tuple(['file'] + files[:8]))
        return [('ask', a) for a in asks]

    def steps(self):
        """Gives one step after the other; each is done before the next is asked for."""
        r = self.rng
        for disk in self.w.disks[:r.randrange(3)]:
            d = r.choice(['t/a', 't/a/s', 't/b', 't/.h'])
            yield from [('mkdir', d), ('plug', *disk, d)]
        for _ in range(r.randrange(4, 10)):
            yield ('put', self.place(['f', 'g', 'k']) if self.chance(0.5) else
                   't/%s/%s' % (r.choice(['a', 'b', 'a/s', 'b/s', '.h', 'a/s/a', 'a/.cache']), r.choice('fgk')),
                   r.choice(SIZES), r.choice(self.letters))
        for _ in range(r.randrange(1, 5)):
            yield from self.edit() if self.chance(0.3) else [('ln', self.file(), self.place(['l1', 'l2']))]
        dirs = self.dirs()
        first = ['t'] if self.chance(0.4) else r.sample(dirs, min(len(dirs), r.choice([1, 2, 2, 3])))
        options = self.choosing_options() if self.w.trust or self.chance(0.2) else []
        yield ('scan', tuple(self.scan_options() + options), tuple(first))
        if len(dirs) > 1 and self.chance(0.4):
            yield ('scan', tuple(self.scan_options() + self.choosing_options()), (r.choice(dirs[1:]),))
        for _ in range(r.randrange(3, 7)):
            for _ in range(r.choice([0, 1, 1, 2, 3, 5])):
                yield from self.edit()
            yield self.command()
            for _ in range(r.choice([1, 2, 2, 3])):
                yield self.ask()
        yield ('scan', ('--racy-window', '0'), ())
        yield from self.everything()
