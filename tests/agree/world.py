# SPDX-License-Identifier: MIT
"""A place where a history happens: its steps are methods do_NAME, and each command is judged by what it left behind."""

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time

from claims import Claims, Disagreement, holds
from truth import Disk, Index, View, below, below_any

NOBODY = 65534
# As small as their makers accept.
DISKS = {'ext4': 4 << 20, 'xfs': 300 << 20, 'btrfs': 110 << 20}


class Program:
    """Runs the program; as nobody where a history takes permissions away."""

    def __init__(self, path, top, nobody):
        self.path, self.top = path, top
        self.env = {'PATH': os.environ.get('PATH', ''), 'LC_ALL': 'C.UTF-8', 'HOME': top, 'TZ': 'UTC',
                    'TWINDEX_DB': os.path.join(top, 'x', 'i.db'), 'TMPDIR': os.path.join(top, 'x')}
        for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS'):
            if name in os.environ:
                self.env[name] = os.environ[name]
        self.how = dict(user=NOBODY, group=NOBODY, extra_groups=[]) if nobody else {}
        self.n = 0

    def start(self, words, **how):
        self.n += 1
        return subprocess.Popen([self.path] + list(words), stdin=subprocess.DEVNULL, cwd=self.top, env=self.env,
                                close_fds=False, **self.how, **how)

    def run(self, words, statuses):
        p = self.start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = p.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            raise Disagreement('hangs', words)
        out, err = out.decode('utf-8', 'surrogateescape'), err.decode('utf-8', 'replace')
        holds(p.returncode in statuses, '%s exited with %d' % (words[0], p.returncode), words, 'exited with %d:' % p.returncode, out[-300:], err[-600:])
        return p.returncode, out, err


class World:
    """A directory with the trees t (scanned) and o (not), the index x/i.db, and what was done to them."""

    def __init__(self, program, nobody, trust, where, disks=False):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix='twindex-history.', dir=where))
        os.chmod(self.top, 0o755)
        self.nobody, self.trust = nobody, trust
        for d in ('t', 'o', 'x'):
            os.mkdir(self.at(d))
        if nobody:
            os.chown(self.at('x'), NOBODY, NOBODY)
        self.program = Program(program, self.top, nobody)
        self.history, self.disk, self.seen = {}, None, None
        self.judged_tops, self.exact = [], False
        self.undo = []
        # Directories on which disks are mounted.
        self.plugged, self.disks = {}, disks
        self.claims = Claims(self.program.run, self.view, self.judged, lambda: self.exact)

    def at(self, path):
        return os.path.join(self.top, path)

    def close(self):
        for path in sorted(self.plugged, reverse=True):
            subprocess.run(['umount', '-l', path], stderr=subprocess.DEVNULL)
        shutil.rmtree(self.top, ignore_errors=True)

    # What is so now.

    def view(self):
        if self.disk is None:
            self.disk = Disk(self.top, self.history, ('x', 'disks'), self.nobody)
            self.seen = None
        if self.seen is None:
            self.seen = View(self.disk, Index(self.program.env['TWINDEX_DB']), self.history)
            holds(not self.seen.index.broken, 'index', *self.seen.index.broken)
        return self.seen

    def judged(self, path):
        return below_any(path, self.judged_tops)

    # Steps.  Those that the disk refuses do nothing, so that parts of a history work.

    def do(self, step):
        """Returns whether it did anything."""
        if step[0] in ('ask', 'scan', 'kill', 'refresh', 'forget', 'mark'):
            if step[0] != 'ask':
                self.view()
                self.wait_for_the_clock()
            getattr(self, 'do_' + step[0])(*[list(map(self.word, s)) if isinstance(s, tuple) else s
                                             for s in step[1:]])
            return True
        try:
            getattr(self, 'do_' + step[0])(*step[1:])
        except OSError:
            return False
        self.disk, self.exact = None, False
        return True

    def word(self, w):
        """Paths of histories are relative, those of commands absolute."""
        return self.at(w) if w.split('/')[0] in ('t', 'o') else w

    def wait_for_the_clock(self):
        """File systems whose times are ticks can't tell a change from a scan in the same tick."""
        time.sleep(0.005)

    def do_put(self, path, size, letter):
        path = self.at(path)
        if os.path.islink(path) or os.path.exists(path) and not os.path.isfile(path):
            raise OSError
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(letter.encode() * size)

    def do_poke(self, path, at, letter):
        if at >= os.lstat(self.at(path)).st_size or not os.path.isfile(self.at(path)):
            raise OSError
        fd = os.open(self.at(path), os.O_WRONLY)
        os.pwrite(fd, letter.encode(), at)
        os.close(fd)

    def do_stamp(self, path, at, letter):
        st = os.lstat(self.at(path))
        self.do_poke(path, at, letter)
        os.utime(self.at(path), ns=(st.st_atime_ns, st.st_mtime_ns))

    def do_cp(self, a, b):
        if not stat.S_ISREG(os.lstat(self.at(a)).st_mode) or os.path.isdir(self.at(b)):
            raise OSError
        shutil.copyfile(self.at(a), self.at(b), follow_symlinks=False)

    def do_ln(self, a, b):
        os.link(self.at(a), self.at(b), follow_symlinks=False)

    def do_sym(self, a, b):
        os.symlink(a, self.at(b))

    def do_mv(self, a, b):
        a, b = self.at(a), self.at(b)
        os.rename(a, b)
        self.plugged = {b + p[len(a):] if below(p, a) else p: name for p, name in self.plugged.items()}

    def do_swap(self, a, b):
        if below(a, b) or below(b, a) or self.plugged:
            raise OSError
        os.lstat(self.at(b))
        os.rename(self.at(a), self.at('o/~'))
        os.rename(self.at(b), self.at(a))
        os.rename(self.at('o/~'), self.at(b))

    def do_mkdir(self, path):
        os.makedirs(self.at(path))

    def do_rm(self, path):
        if any(below(p, self.at(path)) for p in self.plugged):
            raise OSError
        if os.path.isdir(self.at(path)) and not os.path.islink(self.at(path)):
            shutil.rmtree(self.at(path))
        else:
            os.unlink(self.at(path))

    def do_plug(self, name, kind, path):
        """Mount a disk, which is made when it is first needed."""
        image, path = self.at('disks/' + name), self.at(path)
        if not self.disks or path in self.plugged or name in self.plugged.values() or not os.path.isdir(path):
            raise OSError
        if not os.path.exists(image):
            os.makedirs(self.at('disks'), exist_ok=True)
            with open(image, 'wb') as f:
                f.truncate(DISKS[kind])
            subprocess.run(['mkfs.' + kind, '-q', image], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        if subprocess.run(['mount', '-o', 'loop', image, path], stderr=subprocess.DEVNULL).returncode != 0:
            raise OSError
        os.chmod(path, 0o755)
        if os.path.exists(path + '/lost+found'):
            os.rmdir(path + '/lost+found')
        self.plugged[path] = name

    def do_unplug(self, path):
        path = self.at(path)
        if path not in self.plugged or subprocess.run(['umount', path], stderr=subprocess.DEVNULL).returncode != 0:
            raise OSError
        del self.plugged[path]

    def do_chmod(self, mode, path):
        if os.path.islink(self.at(path)):
            raise OSError
        os.chmod(self.at(path), int(mode, 8))

    # Commands.

    def done(self):
        """The index may be another one now."""
        self.seen = None
        return self.view()

    def nothing_lost(self, before, what):
        v = self.done()
        for p in before.fresh:
            if p not in v.fresh and before.in_its_directory(p) and v.index.takes(p, v.disk.files[p].size) and p not in v.disk.blind:
                holds(False, what + ' lost', p)
        return v

    def blind_in_reach(self, v):
        return any(p in v.disk.files and v.index.takes(p, v.disk.files[p].size) or
                   p in v.disk.dirs and v.index.takes(p) for p in v.disk.blind)

    def do_scan(self, options, paths):
        before = self.view()
        roots = [r.path for r in before.index.roots]
        there = [r for r in roots if r in self.disk.dirs and r not in self.disk.blind and not before.away and
                 not before.is_covered(r) and not any(below(d, r) and before.is_covered(d) for d in before.index.dirs)]
        statuses, self.exact = {0, 3}, False
        if any(os.path.dirname(p) in self.disk.blind for p in paths):
            statuses |= {6}
        if not all(p in self.disk.dirs for p in paths):
            statuses |= {2}
        if not paths and not roots:
            statuses |= {2, 5}
        limited = '--max-time' in options
        status, out, err = self.program.run(['scan', '-q'] + options + paths, statuses)
        v = self.nothing_lost(before, 'scan')
        if status in (2, 5, 6):
            return
        blind = self.blind_in_reach(v)
        if not paths and len(there) == len(roots) and not blind and not limited:
            holds(status == 0, 'scan status', 'all roots are there, and it exited with', status, err)
        elif not blind and not limited and len(there) == len(roots) and not before.stale_outside(paths) and \
                self.all_judged(before, paths):
            holds(status == 0 or not paths, 'scan status', 'nothing was in the way of', paths, ':', status, err)
        if limited and status == 3:
            self.judged_tops = []
        elif paths and status == 3 or blind:
            # What is in the way elsewhere may be in the way here.
            self.judged_tops = []
        else:
            now = [r.path for r in v.index.roots if r.path in v.disk.dirs]
            self.judged_tops = self.judged_tops + paths if paths else now
            self.covered(v, paths or now, bool(paths))
        self.exact = not paths and status == 0 and not blind and not v.stale
        if options and paths and any(o.startswith('--no-hidden') or o.startswith('--exclude') or
                                     o.startswith('--min-size') for o in options):
            self.options_kept(v, options, paths)
        self.program_checks()

    def all_judged(self, v, paths):
        return all(self.judged(p) or below_any(p, paths) for p in v.index.rows)

    def covered(self, v, tops, part):
        """What the scan took is what is there."""
        for p, f in v.wanted().items():
            holds(not v.index.reached(p, tops) or p in v.fresh or v.is_covered(p), 'scan missed', p,
                  'changed' if p in v.index.rows else 'not in the index')
        for p in v.index.rows:
            root = v.index.root_above(p)
            if root is not None and root.path not in v.disk.dirs or v.is_away(v.index.rows[p]):
                continue
            if v.index.reached(p, tops):
                holds(p in v.disk.files, 'scan left', p, 'which is not there')
                holds(v.index.takes(p, v.disk.files[p].size), 'scan left', p, 'which the options leave out')
            elif not part:
                holds(root is not None, 'scan left', p, 'which is in no root')

    def options_kept(self, v, options, paths):
        root = next(iter(v.index.roots))
        for p in paths:
            root = next((r for r in v.index.roots if r.path == p), None)
            holds(root is not None, 'options lost', p, 'was scanned with options and is no root')
            min_size = [int(options[i + 1]) for i, o in enumerate(options) if o == '--min-size']
            exclude = [options[i + 1] for i, o in enumerate(options) if o == '--exclude']
            wanted = ('--no-hidden' not in options, (min_size + [0])[0], '--trust-mtime' in options, tuple(exclude))
            holds(root.options() == wanted, 'options lost', p, root.options(), 'not', wanted)

    def program_checks(self):
        self.claims.ask(['check'])

    def do_kill(self, name, delay, options, paths):
        before, self.exact, self.judged_tops = self.view(), False, []
        p = self.program.start(['scan', '-q'] + options + paths, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(delay / 1000)
        p.send_signal(getattr(signal, name))
        _, err = p.communicate()
        # 6: it could not look at a path before it was killed.  By the signal itself: before it is caught.
        blind = 6 if any(os.path.dirname(q) in self.disk.blind for q in paths) else 0
        holds(p.returncode in (0, 2, 3, 5, blind, -getattr(signal, name), 128 + getattr(signal, name)),
              'killed scan exited with %d' % p.returncode, err)
        if os.path.exists(self.program.env['TWINDEX_DB']):
            v = self.nothing_lost(before, 'kill')
            if v.index.roots:
                self.program_checks()

    def do_refresh(self, paths):
        before, self.exact = self.view(), False
        status, out, err = self.program.run(['refresh', '-q'] + paths, (0, 2, 3, 5))
        v = self.nothing_lost(before, 'refresh')
        if status == 3:
            self.judged_tops = []
        if status == 0:
            for p in v.index.rows:
                root = v.index.root_above(p)
                if (not paths or below_any(p, paths)) and root is not None and \
                        root.path in v.disk.dirs and not v.is_away(v.index.rows[p]):
                    holds(p in v.fresh or p in v.disk.blind, 'refresh left', p)
        if status != 5:
            self.program_checks()

    def do_forget(self, paths):
        before, self.exact, self.undo = self.view(), False, None
        status, out, err = self.program.run(['forget'] + paths, (0, 2, 5))
        v = self.done()
        if status == 0:
            for p in paths:
                left = [q for q in v.index.rows if below(q, p)] + [r.path for r in v.index.roots if below(r.path, p)]
                holds(not left, 'forget left', left)
            for p in before.fresh:
                holds(p in v.fresh or below_any(p, paths), 'forget lost', p)
        if status != 5:
            self.program_checks()

    def do_mark(self, verb, paths):
        before = self.view()
        if not before.index.roots:
            return
        status, out, err = self.program.run(['mark', verb] + paths, (0, 1, 2, 3))
        v = self.done()
        if verb == 'undo':
            if self.undo:
                holds(status == 0, 'undo status', status, err)
                wanted = self.undo.pop()
                holds(v.index.marks == wanted, 'undo', v.index.marks, 'not', wanted)
            elif self.undo is not None:
                holds(status == 1, 'undo status', status, err)
        elif self.undo is not None and v.index.marks != before.index.marks:
            self.undo.append(before.index.marks)
        if verb == 'clear':
            holds(not [p for p in v.index.marks if below_any(p, paths)] or status == 2, 'mark clear', paths)
        if verb == 'keep' and status == 0:
            for p in v.fresh:
                holds(not below_any(p, paths) or v.index.marks.get(p, ' ')[0] == 'keep', 'mark keep', p)
        if verb == 'drop':
            self.dropped(before, v, paths, status)
        self.claims.ask(['marks'])

    def dropped(self, before, v, paths, status):
        """All that could be marked was: of every content one copy stays, and what stays is not marked drop."""
        if status == 2:
            holds(v.index.marks == before.index.marks, 'mark drop', 'marks in spite of', paths)
            return
        for p, f in before.fresh.items():
            if not self.exact or not below_any(p, paths) or f.size == 0:
                continue
            if v.index.marks.get(p, ' ')[0] == 'drop':
                continue
            others, _ = v.others(p, f)
            stay = [q for q in others if v.index.marks.get(q, ' ')[0] != 'drop']
            # A copy of its own that stays would have let it go; but names of one inode may both stand for it.
            holds(not stay or all(below_any(q, paths) for q in stay), 'mark drop', p, 'was not marked; stays:', stay)

    def do_ask(self, words):
        if os.path.exists(self.program.env['TWINDEX_DB']) and self.view().index.roots:
            self.claims.ask(words)
