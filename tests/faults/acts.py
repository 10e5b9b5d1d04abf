# SPDX-License-Identifier: MIT
"""Every call of rm, link, undo and safe --rescue fails once, or kills it, in turn: no content is lost, and what it says is true.

    acts.py PROGRAM [LIMIT [ACT...]]

Needs strace.  A small tree, of which some files have copies, gets `rm -r --yes` with the Nth call of a kind failing,
for N from 1 to LIMIT (default 40; 0: any) or until there are no more such calls.  Afterwards every content is there, under
any name; a name that is gone is that of a file with a copy that stays; the exit status is 0 only if all that should
go is gone and nothing else; the index is sound, and a scan makes it true; recover leaves no name of ours behind.
Then the same with `link --hard` and `link --soft`, whose names lead to their contents throughout, and with `undo` of one
act of each kind; and with rm of many files, of which the calls fail that are different then, and in batches of two
files.  At last with safe --rescue, after which each copy is whole or not there, and what it says is true, and with its
undo, which never takes a copy whose original is gone.
ACT is one of rm, hard, soft, undo, many, batches, rescue, unrescue.  With CALLS=renameat2,unlinkat in the environment only these
calls fail.
"""

import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile

ERRORS = {
    'openat': ['EIO', 'EMFILE', 'EACCES'], 'openat2': ['EIO', 'ENOSYS'], 'newfstatat': ['EIO'], 'statx': ['EIO', 'ENOSYS'],
    'pread64': ['EIO', 'EINTR'], 'fcntl': ['EAGAIN', 'EINVAL'], 'fsync': ['EIO', 'ENOSPC', 'EINVAL'], 'fdatasync': ['EIO'],
    'syncfs': ['EIO', 'ENOSYS'], 'sync_file_range': ['EIO', 'ENOSYS'],
    'linkat': ['EPERM', 'EIO', 'EMLINK'], 'renameat2': ['EIO', 'ENOSPC', 'EINVAL', 'EPERM', 'EXDEV', 'ENOSYS'],
    'unlinkat': ['EIO', 'EPERM', 'EROFS'], 'write': ['ENOSPC', 'EIO'], 'pwrite64': ['ENOSPC', 'EIO'], 'close': ['EIO'],
    'mkdirat': ['EACCES', 'ENOSPC'], 'getdents64': ['EIO'], 'getrandom': ['EAGAIN'], 'clone3': ['EAGAIN'], 'symlinkat': ['ENOSPC'], 'readlinkat': ['EIO'],
    'flistxattr': ['EIO', 'EOPNOTSUPP'], 'fchmod': ['EPERM'], 'utimensat': ['EPERM'], 'ftruncate': ['EIO'], 'ioctl': ['EIO'],
}
KILLED = ['mkdirat', 'utimensat', 'ftruncate', 'openat2', 'pread64', 'fsync', 'fdatasync', 'syncfs', 'linkat', 'symlinkat', 'renameat2', 'unlinkat', 'write', 'pwrite64']
ACTS = {'rm': ['rm', '-r'], 'hard': ['link', '--hard', '-r'], 'soft': ['link', '--soft', '-r'], 'undo': ['undo', '3'],
        'many': ['rm', '-r'], 'batches': ['rm', '-r'], 'rescue': ['safe'], 'unrescue': ['undo']}
# Of many files their volume is written at once: these calls are what is different.
MANY = 36
MANY_CALLS = ['syncfs', 'sync_file_range', 'fsync']
# So few descriptors that each pair is a batch: one is acted on while the next is proven.
FEW_FDS = 34


class Wrong(Exception):
    pass


def contents(top):
    """Digest of every file's content -> its paths."""
    found = {}
    for directory, _, names in os.walk(top):
        for name in names:
            path = os.path.join(directory, name)
            with open(path, 'rb') as f:
                found.setdefault(hashlib.sha256(f.read()).hexdigest(), []).append(os.path.relpath(path, top))
    return found


class Round:
    def __init__(self, program, top, act):
        self.program, self.top, self.act = program, top, act
        self.pairs = MANY if act == 'many' else 3
        self.tree, self.db = os.path.join(top, 't'), os.path.join(top, 'i.db')
        self.env = dict(os.environ, TWINDEX_DB=self.db, HOME=top, LC_ALL='C', ASAN_OPTIONS='detect_leaks=0')

    def reset(self):
        for name in os.listdir(self.top):
            path = os.path.join(self.top, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        for i in range(self.pairs):
            for side in ('drop', 'stay'):
                path = os.path.join(self.tree, side, str(i))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'wb') as f:
                    f.write(b'content %d' % i * (1 + 100000 * (i == 2)))
        os.link(os.path.join(self.tree, 'drop', '1'), os.path.join(self.tree, 'drop', '1-link'))
        with open(os.path.join(self.tree, 'drop', 'unique'), 'wb') as f:
            f.write(b'nobody else has this')
        self.run('scan', '-q', '--racy-window', '0', self.tree)

    def run(self, *words, statuses=(0,)):
        done = subprocess.run([self.program, *words], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode not in statuses:
            raise Wrong(f'{words[0]}: status {done.returncode}: {done.stdout.decode(errors="replace")}')
        return done.returncode

    def limit(self):
        if self.act == 'batches':
            resource.setrlimit(resource.RLIMIT_NOFILE, (FEW_FDS, FEW_FDS))

    def drop(self, name=''):
        return os.path.join(self.tree, 'drop', name)

    def words(self):
        """The command that fails."""
        return ACTS[self.act] if self.act == 'undo' else [*ACTS[self.act], self.drop(), '--yes']

    def prepare(self):
        """What is to be undone."""
        if self.act == 'undo':
            self.run('rm', self.drop('0'), '--yes')
            self.run('link', '--hard', self.drop('1'), '--yes')
            self.run('link', '--soft', self.drop('2'), '--yes')

    def rescue_words(self):
        return ['safe', self.drop(), self.path('x'), '--rescue', self.path('kept'), '--yes']

    def path(self, name):
        return os.path.join(self.tree, name)

    def rescued(self):
        """The names below `kept` that are copies, ours, and others: half a copy."""
        copies, ours, half = [], [], []
        for directory, _, names in os.walk(self.path('kept')):
            for name in names:
                path = os.path.join(directory, name)
                of = self.drop(os.path.relpath(path, self.path('kept')))
                if name.startswith('.twindex-'):
                    ours.append(name)
                elif os.path.exists(of) and open(of, 'rb').read() == open(path, 'rb').read():
                    copies.append(name)
                else:
                    half.append(name)
        return sorted(copies), ours, half

    def fail_rescue(self, call, what, n):
        """As fail(), of a rescue or of its undo."""
        self.reset()
        os.mkdir(self.path('x'))
        with open(self.path('x/only'), 'wb') as f:
            f.write(b'here alone')
        self.run('scan', '-q', '--racy-window', '0', self.tree)
        undo, all_names = self.act == 'unrescue', sorted(os.listdir(self.drop()))
        if undo:
            self.run(*self.rescue_words())
        before = contents(self.drop())
        done, met = self.injected(call, what, n, ['undo'] if undo else self.rescue_words())
        if not met:
            return False
        killed = 'signal' in what
        said = f'status {done.returncode}: {done.stderr.decode(errors="replace")}'
        copies, ours, half = self.rescued()
        if contents(self.drop()) != before:
            raise Wrong(f'an original is gone; {said}')
        if half:
            raise Wrong(f'half a copy: {half}; {said}')
        if done.returncode < 0 and not killed or done.returncode in (134, 139):
            raise Wrong(f'died: {said}')
        if not killed and done.returncode == 0 and copies != ([] if undo else all_names):
            raise Wrong(f'{copies} are there, but {said}')
        if len(ours) > 1 and not killed or (ours and not killed and ours[0] not in done.stderr.decode()):
            raise Wrong(f'{ours} without a word; {said}')
        self.run('check')
        self.run('recover')
        if self.rescued()[1:] != ([], []):
            raise Wrong(f'recover left {self.rescued()}; {said}')
        self.run('scan', '-q', '--racy-window', '0')
        self.run('check')
        self.run(*(['undo'] if undo else self.rescue_words()), statuses=(0, 1) if undo else (0,))
        if self.rescued()[0] != ([] if undo else all_names):
            raise Wrong(f'not done at last: {self.rescued()}; {said}')
        return True

    def injected(self, call, what, n, words):
        """What came of the words with the fault, and whether there was such a call."""
        trace = os.path.join(self.top, 'trace')
        done = subprocess.run(['strace', '-f', '-o', trace, '-e', 'trace=' + call, '-e', f'inject={call}:{what}:when={n}',
                               self.program, *words],
                              env=self.env, preexec_fn=self.limit, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(trace, errors='replace') as f:
            return done, any('INJECTED' in line or 'SIGKILL' in line for line in f)

    def undone(self):
        """The names of the files that the act has not been done to, or was taken back."""
        names = []
        for name in sorted(os.listdir(self.drop())):
            path, copy = self.drop(name), os.path.join(self.tree, 'stay', name.split('-')[0] or name)
            linked = os.path.islink(path) or os.path.exists(copy) and os.path.samefile(path, copy)
            if name.startswith('.twindex-') or not linked:
                names.append(name)
        return names

    def fail(self, call, what, n):
        """Whether there was such a call."""
        if self.act in ('rescue', 'unrescue'):
            return self.fail_rescue(call, what, n)
        self.reset()
        self.prepare()
        before = contents(self.tree)
        done, met = self.injected(call, what, n, self.words())
        killed = 'signal' in what
        if not met:
            return False
        after = contents(self.tree)
        said = f'status {done.returncode}: {done.stderr.decode(errors="replace")}'
        if set(before) - set(after):
            raise Wrong(f'content is lost: {[before[h] for h in set(before) - set(after)]}; {said}')
        if done.returncode < 0 and not killed or done.returncode in (134, 139):
            raise Wrong(f'died: {said}')
        left = self.undone()
        if sorted(os.listdir(os.path.join(self.tree, 'stay'))) != sorted(map(str, range(self.pairs))) or 'unique' not in left:
            raise Wrong(f'gone: what was to stay; {said}')
        whole = ['0', '1', '1-link', '2', 'unique']
        if ACTS[self.act][0] != 'rm' and {*whole[1:], '0' if self.act != 'undo' else 'unique'} - set(os.listdir(self.drop())):
            raise Wrong(f'a name is gone: {os.listdir(self.drop())}; {said}')
        if not killed and self.act != 'undo' and (done.returncode == 0 or (done.returncode == 1 and left != ['unique'])):
            raise Wrong(f'left {left}, but {said}')
        if not killed and self.act == 'undo' and (done.returncode == 0) != (left == whole) and done.returncode < 3:
            raise Wrong(f'{left} are undone, but {said}')
        # What a failed removal of a second name leaves is said.
        ours = [name for name in left if name.startswith('.twindex-')]
        if len(ours) > 1 or (ours and not killed and ours[0] not in done.stderr.decode()):
            raise Wrong(f'{ours} without a word; {said}')
        self.run('check')
        self.run('recover')
        if [name for name in os.listdir(self.drop()) if name.startswith('.twindex-')]:
            raise Wrong(f'recover left {os.listdir(self.drop())}; {said}')
        self.run('scan', '-q', '--racy-window', '0')
        self.run('check')
        self.run(*self.words(), statuses=(1,) if self.act != 'undo' else (0, 1))
        if self.undone() != (['unique'] if self.act != 'undo' else whole):
            raise Wrong(f'not done at last: {self.undone()} of {os.listdir(self.drop())}; {said}')
        return True


def main():
    program, limit = os.path.abspath(sys.argv[1]), (int(sys.argv[2]) or 10**6) if len(sys.argv) > 2 else 40
    if shutil.which('strace') is None:
        print('no strace')
        return 77
    all_wrong, calls = 0, os.environ.get('CALLS', '').split(',') if os.environ.get('CALLS') else ERRORS
    whats = [(call, 'error=' + e) for call, errors in ERRORS.items() for e in errors if call in calls]
    whats += [(call, 'signal=SIGKILL') for call in KILLED if call in calls]
    for act in sys.argv[3:] or ACTS:
        wrong = rounds = 0
        with tempfile.TemporaryDirectory(prefix='twindex-acts.') as top:
            r = Round(program, os.path.realpath(top), act)
            for call, what in whats:
                if act == 'many' and call not in MANY_CALLS:
                    continue
                for n in range(1, limit + 1):
                    try:
                        if not r.fail(call, what, n):
                            break
                        rounds += 1
                    except Wrong as e:
                        wrong += 1
                        print(f'{act} {call}:{what}:when={n}: {e}', flush=True)
        print(f'T-KILL-ACT {act}: {rounds} faults, {wrong} wrong', flush=True)
        all_wrong += wrong
    return 1 if all_wrong else 0


if __name__ == '__main__':
    sys.exit(main())
