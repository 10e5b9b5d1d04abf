# SPDX-License-Identifier: MIT
"""Every call fails once, in turn; and scans are killed.

    faults.py PROGRAM SHIM FAULTS KILLS [COMMAND...]

Each command runs with the first call of a group failing (shim.c), then with the
second, until it makes no more of them.  It must not die, must not say anything
false, must not exit with 0 if anything was not done, and must name the cause;
the index must be intact, and the next scan make it whole.
"""

import contextlib
import errno
import json
import multiprocessing
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'agree'))

from author import Author  # noqa: E402
from claims import Disagreement  # noqa: E402
from history import SCRIPT, command_line  # noqa: E402
from world import World  # noqa: E402

PART = 0
KILL = -9
FAULTS = [('open', errno.EIO), ('open', errno.EMFILE), ('open', errno.EACCES), ('stat', errno.EIO),
          ('stat', errno.EACCES), ('statfs', errno.EIO), ('list', errno.EIO), ('read', errno.EIO),
          ('read', errno.EINTR), ('read', PART), ('write', errno.ENOSPC), ('write', errno.EIO), ('write', PART),
          ('sync', errno.EIO), ('truncate', errno.ENOSPC), ('lock', errno.EIO), ('lock', errno.EAGAIN),
          ('name', errno.EACCES), ('path', errno.EIO), ('map', errno.ENOMEM), ('random', errno.EIO),
          ('stream', errno.EMFILE), ('thread', errno.EAGAIN), ('close', errno.EIO), ('memory', errno.ENOMEM)]

# In scans only: what is left behind is a file in the midst of a change.
KILLED = [('write', KILL), ('sync', KILL), ('truncate', KILL), ('name', KILL), ('open', KILL), ('lock', KILL)]
SCANS = ('first scan', 'rescan')

# name: index at its beginning, words, whether it writes.  What is typed then is in TYPED.
COMMANDS = {
    'first scan': (None, ['scan', '--threads=1', '--racy-window', '0', 't'], True),
    'rescan': ('old', ['scan', '--threads=1', '--racy-window', '0'], True),
    'scan --verify': ('old', ['scan', '--verify', '--threads=1', '--racy-window', '0'], True),
    'scan again': ('whole', ['scan', '--threads=1', '--racy-window', '0'], True),
    'refresh': ('old', ['refresh', '--racy-window', '0'], True),
    'validate': ('whole', ['validate', '--threads=1', 't'], True),
    'forget': ('whole', ['forget', 't/a'], True),
    'mark drop': ('whole', ['mark', 'drop', 't/a'], True),
    'decide': ('whole', ['decide', 't'], True),
    'ls': ('whole', ['ls', '-v', 't'], False),
    'dups': ('whole', ['dups', 't'], False),
    'uniques': ('whole', ['uniques', 't'], False),
    'uniques -x': ('whole', ['uniques', '-x', 't/a', 't/a'], False),
    'contained': ('whole', ['contained', 't/b', 't/a'], False),
    'contained all': ('whole', ['contained', 't/b/twin', 't/a'], False),
    'rmsh': ('whole', ['rmsh', '-r', 't/b'], False),
    'file': ('whole', ['file', 't/a/one', 't/b/alone'], False),
    'file outside': ('whole', ['file', 'o/copy'], False),
    'report': ('whole', ['report', '--format', 'fdupes'], False),
    'du': ('whole', ['du', 't'], False),
    'where': ('whole', ['where', 'one'], False),
    'marks': ('whole', ['marks'], False),
    'check': ('whole', ['check'], False),
    'info': ('whole', ['info'], False),
    'hash': ('whole', ['hash', 't/a/one'], False),
    'sql': ('whole', ['sql', 'select path, size from file_view order by path'], False),
}

# The first directory of each group keeps its copies.
TYPED = {'decide': '1\n1\n1\n'}


class Stage:
    """A tree, and the indexes that commands begin with."""

    def __init__(self, program):
        self.program = program
        self.top = os.path.realpath(tempfile.mkdtemp(prefix='twindex-faults.'))
        os.chmod(self.top, 0o755)
        self.put('t/a/one', b'1' * 5000)
        self.put('t/a/big', b'2' * 200000)
        self.put('t/a/s/small', b'3')
        self.put('t/b/alone', b'4' * 300)
        self.put('t/b/same size', b'5' * 300)
        self.put('t/b/old', b'6' * 5000)
        self.put('t/b/gone', b'1' * 5000)
        self.put('t/d/moves', b'7' * 70000)
        self.put('t/empty', b'')
        os.link(self.at('t/b/alone'), self.at('t/b/link'))
        os.symlink('a', self.at('t/link'))
        self.index('old', ['scan', '-q', '--racy-window', '0', 't'])
        self.put('t/b/twin', b'1' * 5000)
        self.put('t/b/big too', b'2' * 200000)
        self.put('t/b/nearly', b'2' * 199999 + b'3')
        self.put('t/a/s/small', b'33')
        self.put('t/a/.h/small', b'33')
        os.unlink(self.at('t/b/gone'))
        os.rename(self.at('t/d'), self.at('t/e'))
        shutil.copyfile(self.at('t/e/moves'), self.at('t/moved'))
        os.link(self.at('t/a/one'), self.at('t/b/one'))
        self.put('o/copy', b'2' * 200000)
        self.index('whole', ['scan', '-q', '--racy-window', '0'], 'old')
        self.expected = {}

    def at(self, path):
        return os.path.join(self.top, path)

    def put(self, path, data):
        os.makedirs(os.path.dirname(self.at(path)), exist_ok=True)
        with open(self.at(path), 'wb') as f:
            f.write(data)

    def index(self, name, words, begin=None):
        if begin is not None:
            shutil.copyfile(self.at(begin + '.db'), self.at(name + '.db'))
        subprocess.run([self.program, '--db', self.at(name + '.db')] + words, cwd=self.top, check=True,
                       stdin=subprocess.DEVNULL)

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


class Run:
    """One command with one call after the other failing."""

    def __init__(self, program, shim, stage, limit, job):
        self.program, self.stage, self.limit = program, stage, limit
        self.name, self.group, self.errno = job
        self.begin, self.words, self.writes = COMMANDS[self.name]
        self.dir = tempfile.mkdtemp(prefix='run.', dir=stage)
        self.db, self.mark = os.path.join(self.dir, 'i.db'), os.path.join(self.dir, 'mark')
        self.env = {'PATH': os.environ.get('PATH', ''), 'LC_ALL': 'C.UTF-8', 'HOME': self.dir, 'TZ': 'UTC',
                    'TWINDEX_DB': self.db, 'TMPDIR': self.dir}
        self.fault = dict(self.env, LD_PRELOAD=shim, FAULT_CALL=self.group, FAULT_ERRNO=str(self.errno),
                          FAULT_MARK=self.mark)
        self.found = []

    def start(self, words, env):
        p = subprocess.Popen([self.program] + words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, cwd=self.stage, env=env, close_fds=False)
        try:
            out, err = p.communicate(TYPED.get(words[0], '').encode(), timeout=60)
        except subprocess.TimeoutExpired:
            p.kill()
            out, err = p.communicate()
            return 'hangs', out.decode(), err.decode()
        out = out.decode()
        if words[0] == 'rmsh':
            # What it would do; the rest of the script is the same, but for the time.
            out = ''.join(line + '\n' for line in out.splitlines() if line.startswith('remove '))
        return p.returncode, out, err.decode()

    def reset(self):
        for name in os.listdir(self.dir):
            os.unlink(os.path.join(self.dir, name))
        if self.begin is not None:
            shutil.copyfile(os.path.join(self.stage, self.begin + '.db'), self.db)

    def wrong(self, n, what, text):
        if len(self.found) < 20:
            self.found.append((self.name, self.group, self.errno, n, what, text))

    def state(self):
        """What the index says, without what differs from index to index."""
        said = []
        for words in (['ls', '-v', '--json', 't'], ['report', '--json']):
            status, out, err = self.start(words, self.env)
            try:
                doc = json.loads(out)
            except ValueError:
                return '%s exited with %s: %s %s' % (words, status, out[-200:], err)
            for o in doc.get('files', []) + doc.get('sets', []):
                o.pop('hash')
            said.append(doc)
        return said

    def points(self):
        """Which calls are to fail: the first, the last and some between, for loops make the same calls again."""
        n, limit = self.n_calls, self.limit or self.n_calls
        return sorted(set(range(1, min(n, limit) + 1)) | set(range(1, n + 1, 1 + n // max(1, limit))) |
                      set(range(max(1, n - limit), n + 1)))

    def run(self):
        self.reset()
        normal = self.start(self.words, dict(self.fault, FAULT_AT='0'))
        with open(self.mark) as f:
            self.n_calls = int(f.read())
        if self.writes:
            if self.name in ('forget', 'refresh'):
                self.start(['scan', '-q', '--racy-window', '0', 't'], self.env)
            whole = self.state()
        n_faults = 0
        for n in self.points():
            if self.writes or not os.path.exists(self.db):
                self.reset()
            if os.path.exists(self.mark):
                os.unlink(self.mark)
            status, out, err = self.start(self.words, dict(self.fault, FAULT_AT=str(n)))
            if not os.path.exists(self.mark):
                continue
            n_faults += 1
            if self.errno != KILL:
                self.judge(n, normal, status, out, err)
            elif status != KILL:
                self.wrong(n, 'not killed', status)
            if self.name == 'decide':
                self.spared(n)
            if self.writes:
                self.heal(n, status, whole)
        if not self.writes:
            with open(self.db, 'rb') as f, open(os.path.join(self.stage, self.begin + '.db'), 'rb') as g:
                if f.read() != g.read():
                    self.wrong(0, 'query wrote', 'the index is not what it was')
        shutil.rmtree(self.dir)
        return self.found, n_faults

    def spared(self, n):
        """Of each content that is marked drop a file stays that is not."""
        status, out, err = self.start(['marks', '--json'], self.env)
        try:
            dropped = {m['path'] for m in json.loads(out)['marks'] if m['mark'] == 'drop'}
        except (ValueError, KeyError):
            return
        stay, go = set(), set()
        for directory, _, names in os.walk(os.path.join(self.stage, 't')):
            for name in names:
                path = os.path.join(directory, name)
                if not os.path.islink(path):
                    with open(path, 'rb') as f:
                        (go if path in dropped else stay).add(f.read())
        if go - stay:
            self.wrong(n, 'nothing stays', sorted(dropped))

    FALSE = re.compile(r'does not exist|No such file|gone since|no longer there|changed since')
    DAMAGED = re.compile(r'damaged|malformed|no index|is not an index|is not the lock')
    # Of files that are all as the index has them.
    INVENTED = re.compile(r'^ *(corrupt|changed|gone|offline): ', re.M)
    DOUBT = re.compile(r' *(unknown|unreadable|changed|skipped|\?\?\?) ')
    OTHER = re.compile(r' *\?\?\? ')
    LINK = re.compile(r'( *linked .*) \(its other links? (?:is|are) unreadable\)$')
    REMOVES = re.compile(r"remove '(.*)' '(.*)'$")
    # What SQLite and the program call an error that they did not keep, of any call and of those of a group.
    CAUSES = ['memory', 'disk is full', 'no thread', 'locked', 'locking']
    LOST = {'open': ['unable to open', 'not be opened for writing'], 'lock': ['disk I/O error'], 'name': ['disk I/O error']}

    def judge(self, n, normal, status, out, err):
        told = '%s: %s' % (status, err.strip().replace(self.dir, 'DIR')[-300:])
        if status == 'hangs' or status < 0 or status >= 128:
            return self.wrong(n, 'died', told)
        if status not in (0, 1, 2, 3, 4, 5, 6):
            return self.wrong(n, 'strange status', told)
        if self.words[0] == 'validate':
            if self.INVENTED.search(out):
                self.wrong(n, 'invented', out)
            # What it says of files it says on its standard output.
            err += out if status == 3 else ''
        if self.FALSE.search(err):
            self.wrong(n, 'says gone', told)
        if self.DAMAGED.search(err):
            self.wrong(n, 'says damaged', told)
        states = self.words[0] in ('ls', 'file')
        if not self.writes and self.words[0] not in ('info', 'du', 'check'):
            # A listing that could not be written ends anywhere.
            lines, true = out.splitlines()[:-1 if status == 6 else None], set(normal[1].splitlines())
            if states and status != 0:
                lines = [self.LINK.sub(r'\1', line) for line in lines]
            false = [line for line in lines if line and line not in true and not (states and self.DOUBT.match(line))]
            if self.words[0] == 'file':
                # Copies of a file that could not be read are not listed; and of an inode without
                # other names that could be looked at no links are told.
                doubt = [line for line in lines if self.DOUBT.match(line)]
                hidden = any('(offline)' in line for line in doubt)
                false = [line for line in false if not (hidden and status != 0 and re.match(' *unique ', line))]
                # With status 0 every file is a dup; only another one of its names may be in doubt, and is there to see.
                short = len(lines) < len(true) and (status == 0 or not doubt) or \
                    status == 0 and not all(self.OTHER.match(line) for line in doubt)
            elif self.words[0] == 'contained':
                # What is missing is missing, whatever else could not be judged, which is said.
                short = out != normal[1] and 'not judged' not in err
            else:
                short = len(lines) < len(true) if states else out != normal[1]
            if self.words[0] == 'rmsh' and status != normal[0]:
                # If something can't be judged another copy may be what stays.
                false = [line for line in false if not self.loses_nothing(line, lines)]
            if false or status in (0, 1) and short:
                self.wrong(n, 'false answer', '%s\n%s--- not\n%s--- stderr\n%s' % (false, out, normal[1], err))
        if status == normal[0] or states and status in (1, 3):
            return
        if not err:
            return self.wrong(n, 'silent', told)
        causes = [os.strerror(self.errno)] + self.CAUSES + self.LOST.get(self.group, []) if self.errno else []
        if self.errno == errno.EIO:
            causes.append('disk I/O error')
        if status != 3 and causes and not any(c.lower() in err.lower() for c in causes):
            self.wrong(n, 'no cause', told)

    def loses_nothing(self, line, lines):
        """Whether what a line of a script removes has its bytes in a file that none removes."""
        found, removed = self.REMOVES.match(line), {m[1] for m in map(self.REMOVES.match, lines) if m}
        with open(found[1], 'rb') as f, open(found[2], 'rb') as g:
            return f.read() == g.read() and found[2] not in removed

    def heal(self, n, status, whole):
        """The index is intact, and the next scan makes it whole."""
        left = [f for f in os.listdir(self.dir) if f not in ('i.db', 'i.db-lock', 'i.db-validate-lock', 'i.db-wal', 'i.db-shm', 'mark') and
                not (f == 'i.db-journal' and status == 6)]
        if left and self.errno != KILL:
            self.wrong(n, 'left behind', left)
        if status == 0 and self.name not in ('forget', 'refresh', 'mark drop', 'decide') and self.state() != whole:
            self.wrong(n, 'not done, status 0', str(self.state())[:1500])
        if os.path.exists(self.db) and os.path.getsize(self.db) > 0:
            c, out, err = self.start(['check'], self.env)
            if c != 0 and not (c == 5 and self.begin is None):
                self.wrong(n, 'check', '%s: %s %s' % (c, out, err))
        s, out, err = self.start(['scan', '-q', '--racy-window', '0', 't'], self.env)
        if s != 0:
            return self.wrong(n, 'next scan', '%s: %s' % (s, err))
        if self.name == 'mark drop':
            self.start(['mark', 'clear', 't'], self.env)
            self.start(['mark', 'drop', 't/a'], self.env)
        if self.name == 'decide':
            self.start(['mark', 'clear', 't'], self.env)
            self.start(self.words, self.env)
        with contextlib.closing(sqlite3.connect('file:%s?mode=ro' % self.db, uri=True)) as db:
            found = db.execute('PRAGMA quick_check').fetchone()
        if found != ('ok',):
            self.wrong(n, 'quick_check', found)
        now = self.state()
        if now != whole:
            self.wrong(n, 'not whole', '%s\n--- not\n%s' % (str(now)[:1500], str(whole)[:1500]))


def run_job(args):
    try:
        found, n = Run(*args).run()
        return args[4], found, n
    except Exception as e:
        return args[4], [args[4] + (0, 'tester', repr(e))], 0


def kills(args):
    """Edits, a scan that is killed, and a scan that is not: the truth."""
    program, seed, rounds = args
    w, steps = World(program, False, False, None), []
    author = Author(random.Random(seed), w)
    try:
        first = [('put', 't/a/f', 3, 'A'), ('put', 't/b/g', 5000, 'A')]
        for i in range(rounds):
            for _ in range(author.rng.randrange(1, 6)):
                first += author.edit()
            options = tuple(author.scan_options())
            first += [('kill', 'SIGKILL', round(author.rng.random() * 12, 1), options, ('t',) if i == 0 else ()),
                      author.ask(), ('scan', ('--racy-window', '0'), ('t',))] + author.everything()
            for step in first:
                steps.append(step)
                w.do(step)
            first = []
    except Disagreement as e:
        return '\n'.join([SCRIPT] + [command_line(s) for s in steps] + ['# %s' % e])
    finally:
        w.close()
    return None


def main():
    program, shim = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    limit, n_kills, names = int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:] or list(COMMANDS)
    stage, began = Stage(program), time.monotonic()
    jobs = [(program, shim, stage.top, limit, (name, group, number)) for name in names for group, number in FAULTS + (KILLED if name in SCANS else [])]
    n_faults, wrong, killed = 0, {}, []
    try:
        with multiprocessing.Pool(os.cpu_count() or 1) as pool:
            for job, found, n in pool.imap_unordered(run_job, jobs):
                n_faults += n
                for f in found:
                    wrong.setdefault((f[0], f[4]), []).append(f)
                    print('FAIL: twindex %s, %s %d fails with %s: %s: %s' %
                          (f[0], f[1], f[3], 'a kill' if f[2] == KILL else os.strerror(f[2]) if f[2] else 'a part', f[4], f[5]), flush=True)
            rounds = 10
            parts = [(program, seed, min(rounds, n_kills - seed * rounds)) for seed in range((n_kills + rounds - 1) // rounds)]
            for failure in pool.imap_unordered(kills, parts):
                if failure is not None:
                    killed.append(failure)
                    print('FAIL: killed:\n' + failure, flush=True)
    finally:
        stage.close()
    print('in %.0f s:' % (time.monotonic() - began))
    print('T-FAULTS: %d faults, %d wrong' % (n_faults, sum(len(found) for found in wrong.values())))
    print('T-KILL-SCAN: %d kills, %d wrong' % (n_kills, len(killed)))
    for (name, what), found in sorted(wrong.items()):
        print('%6d  %s: %s' % (len(found), name, what))
    return 1 if wrong or killed else 0


if __name__ == '__main__':
    sys.exit(main())
