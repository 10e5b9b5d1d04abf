# SPDX-License-Identifier: MIT
"""What deletes the only copy elsewhere: aliases, changes in the midst of an act, losses of power, and names.

    hazards.py PROGRAM [PART...]

    T-ALIAS    one file that is reached in two ways (mounts, overlay, FUSE, links) is not removed or linked to itself,
               by any act or script
    T-TOCTOU   an act is held before each of its calls, in turn, while another process changes what it is about: no
               content is lost, and what changed stays what it became
    T-POWER    acts end or are killed at one of their calls, and the power fails: every content is on the disk, whole
    T-NAMES    each byte, names that are hard to quote, and random ones: each act, and the scripts in each shell, do
               all they are to do and nothing else; again with what changed since the scan
    T-UNDO     a thousand acts of every kind are taken back: paths, contents, modes and times

One line a part says how much was tried and how much of it was wrong.  Mounts need root; T-TOCTOU needs strace.  SEED=7
chooses other names and calls, ROUNDS=20 says how often the power fails in each way, KINDS=rm,hard,soft,reflink which
acts T-TOCTOU and T-NAMES are about.
"""

import contextlib
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'agree'))

from tree import NAMES  # noqa: E402

KINDS = os.environ.get('KINDS', 'rm,hard,soft,reflink').split(',')
SEED, ROUNDS = int(os.environ.get('SEED', '1')), int(os.environ.get('ROUNDS', '20'))
LINKS = {'hard': ['link', '--hard'], 'soft': ['link', '--soft'], 'reflink': ['link', '--reflink']}
ACTS = dict(LINKS, rm=['rm'])
SCRIPTS = {'rm': [], 'hard': ['--hard'], 'soft': ['--soft'], 'reflink': ['--reflink']}
SHELLS = [['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh'], ['mksh'], ['zsh']]
OURS = b'.twindex-'


class Wrong(Exception):
    pass


class NotHere(Exception):
    pass


def must(*words):
    """A command without which a part cannot be tried."""
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise NotHere('%s: %s' % (' '.join(words), done.stderr.decode(errors='replace').strip()))


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            raise NotHere('no ' + tool)


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def digests(*tops):
    """The contents below these, by path; links are followed to files."""
    found = {}
    for top in tops:
        for d, _, names in os.walk(os.fsencode(top)):
            for name in names:
                path = os.path.join(d, name)
                with contextlib.suppress(OSError):
                    if os.path.isfile(path):
                        found[path] = hashlib.sha256(read(path)).digest()
    return found


class Place:
    """A directory of its own, with an index beside it."""

    def __init__(self, program, top=None):
        self.program = program
        self.own = tempfile.mkdtemp(prefix='twindex-hazards.')
        self.top = os.path.realpath(top or os.path.join(self.own, 't'))
        os.makedirs(self.top, exist_ok=True)
        self.db, self.out = os.path.join(self.own, 'i.db'), b''
        os.mkdir(os.path.join(self.own, 'bin'))
        # Scripts ask for all disks of the machine to be written, which takes long.
        write(self.at('../bin/sync', self.own + '/t'), b'#!/bin/sh\n')
        os.chmod(os.path.join(self.own, 'bin', 'sync'), 0o755)
        self.env = dict(os.environ, TWINDEX_DB=self.db, HOME=self.own, LC_ALL='C', PATH=self.own + '/bin:' + os.environ['PATH'],
                        ASAN_OPTIONS='detect_leaks=0')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.own, ignore_errors=True)

    def at(self, path, top=None):
        return os.path.normpath(os.path.join(top or self.top, path))

    def forget(self):
        for name in os.listdir(self.own):
            if name.startswith('i.db'):
                os.unlink(os.path.join(self.own, name))

    def empty(self):
        self.forget()
        for name in os.listdir(self.top):
            path = self.at(name)
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)

    def run(self, words, statuses=(0,), program=None):
        done = subprocess.run([*([self.program] if program is None else program), *words], env=self.env, cwd=self.top, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.out = done.stdout
        if done.returncode not in statuses:
            raise Wrong('%s: status %d: %s' % (words[0], done.returncode, done.stdout.decode(errors='replace')[-2000:]))
        return done.returncode

    def scan(self, *roots):
        self.run(['scan', '-q', '--racy-window', '0', *roots])

    def script(self, kind, form, shell, *paths):
        """Whatever rmsh says of the paths, run by that shell."""
        made = subprocess.run([self.program, 'rmsh', '-r', *SCRIPTS[kind], *form, *paths], env=self.env, cwd=self.top, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        script = os.path.join(self.own, 'script')
        write(script, made.stdout)
        return self.run([script], (0, 1, 3), shell)

    def ours(self):
        return [p for d, _, names in os.walk(os.fsencode(self.top)) for p in names if p.startswith(OURS)]


class Part:
    """What was tried, and what of it was wrong."""

    def __init__(self, name):
        self.name, self.tried, self.wrong = name, 0, 0

    @contextlib.contextmanager
    def one(self, what):
        self.tried += 1
        try:
            yield
        except Wrong as e:
            self.wrong += 1
            print('%s: %s: %s' % (self.name, what, e), flush=True)


# T-ALIAS

def mounted(*words):
    must('mount', *words)


def scene_bind(p):
    os.makedirs(p.at('real'))
    os.makedirs(p.at('way'))
    mounted('--bind', p.at('real'), p.at('way'))
    return 'real', ['real', 'way']


def scene_above(p):
    os.makedirs(p.at('real/sub'))
    os.makedirs(p.at('way'))
    mounted('--bind', p.at('real'), p.at('way'))
    return 'real/sub', ['real/sub', 'way']


def scene_twice(p):
    os.makedirs(p.at('real'))
    return 'real', ['real', 'real', 'real/../real', '.']


def scene_link(p):
    os.makedirs(p.at('real'))
    os.symlink('real', p.at('way'))
    return 'real', ['real', 'way']


def scene_disk(p):
    os.makedirs(p.at('real'))
    os.makedirs(p.at('way'))
    with open(p.own + '/disk', 'wb') as f:
        f.truncate(8 << 20)
    must('mkfs.ext4', '-q', '-F', p.own + '/disk')
    mounted('-o', 'loop', p.own + '/disk', p.at('real'))
    source = next(line.split()[0] for line in open('/proc/self/mounts', encoding='utf-8') if line.split()[1] == p.at('real'))
    mounted(source, p.at('way'))
    return 'real', ['real', 'way']


def scene_overlay(p, layer):
    mounted('-t', 'tmpfs', 'none', p.top)
    for name in ('lower', 'upper', 'work', 'way'):
        os.makedirs(p.at(name))
    mounted('-t', 'overlay', '-o', 'lowerdir=%s,upperdir=%s,workdir=%s' % (p.at('lower'), p.at('upper'), p.at('work')), 'none', p.at('way'))
    return layer, [layer, 'way']


def scene_fuse(p, seconds):
    need('bindfs')
    if not os.path.exists('/dev/fuse'):
        raise NotHere('no FUSE here')
    os.makedirs(p.at('real'))
    os.makedirs(p.at('way'))
    must('bindfs', '-o', 'attr_timeout=%d,entry_timeout=%d' % (seconds, seconds), p.at('real'), p.at('way'))
    return 'real', ['real', 'way']


def alias(part, program):
    for scene, *more in ((scene_bind,), (scene_above,), (scene_twice,), (scene_link,), (scene_disk,), (scene_overlay, 'upper'),
                         (scene_overlay, 'lower'), (scene_fuse, 0), (scene_fuse, 60)):
        with Place(program) as p:
            try:
                real, roots = scene(p, *more)
                for kind in ACTS:
                    for form in (None, [], ['--portable']):
                        for root in dict.fromkeys(roots):
                            with part.one('%s %s, %s %s of %s' % (scene.__name__, more, kind, form, root)):
                                alias_one(p, real, roots, kind, form, root)
            except NotHere as e:
                print('%s: %s not tried: %s' % (part.name, scene.__name__, e), flush=True)
            finally:
                unmount(p.own)


def alias_one(p, real, roots, kind, form, root):
    """One file, whose name is new: what was asked for is that of one way to it."""
    name = 'file%d' % time.monotonic_ns()
    p.forget()
    write(p.at(real + '/' + name), b'the only copy of ' + name.encode())
    p.scan(*roots)
    # The kernel has the attributes at hand.
    ways = [p.at(d + '/' + name) for d in roots if os.path.exists(p.at(d + '/' + name))]
    asked = p.at(root + '/' + name) if os.path.exists(p.at(root + '/' + name)) else p.at(root)
    if form is None:
        p.run([*ACTS[kind], '-r', asked, '--yes'], (0, 1, 2, 3))
    else:
        p.script(kind, form, ['sh'], asked)
    # On an overlay a name of the merged directory that was asked for may go: the file is below still.
    if hashlib.sha256(b'the only copy of ' + name.encode()).digest() not in digests(*(p.at(d) for d in roots)).values():
        raise Wrong('the only copy is gone: %s' % p.out.decode(errors='replace'))
    if [w for w in ways if w not in (asked, p.at(real + '/' + name)) and not os.path.lexists(w)]:
        raise Wrong('another name is gone: %s' % p.out.decode(errors='replace'))
    if p.ours():
        raise Wrong('left: %s' % p.ours())


def unmount(top):
    with open('/proc/self/mounts', encoding='utf-8') as f:
        for line in reversed(f.read().splitlines()):
            if line.split()[1].startswith(top + '/'):
                subprocess.run(['umount', '-l', line.split()[1]], check=False)


# T-TOCTOU

# The calls before which an act is held, where they are about the files and their directories.
CALLS = ['openat2', 'openat', 'newfstatat', 'statx', 'fcntl', 'pread64', 'fsync', 'linkat', 'symlinkat', 'renameat2', 'flistxattr',
         'unlinkat']
SAME, OTHER = b'same', b'OTHER'


def rewrite(p, name):
    """Other bytes of the same length, and the old times."""
    st = os.stat(p.at(name))
    fd = os.open(p.at(name), os.O_WRONLY)
    os.pwrite(fd, b'SAME', 0)
    os.close(fd)
    os.utime(p.at(name), ns=(st.st_atime_ns, st.st_mtime_ns))


def append(p, name):
    fd = os.open(p.at(name), os.O_WRONLY | os.O_APPEND)
    os.write(fd, b'more')
    os.close(fd)


def replace(p, name):
    """Another file with its name."""
    os.rename(p.at('other'), p.at(name))


def remove(p, name):
    os.unlink(p.at(name))


def fifo(p, name):
    os.unlink(p.at(name))
    os.mkfifo(p.at(name))


def directory(p, name):
    os.unlink(p.at(name))
    write(p.at(name) + '/inside', OTHER)


def symlink(p, name):
    os.unlink(p.at(name))
    os.symlink('../other', p.at(name))


def swap_parent(p, name):
    """A link in the place of its directory, to one with the same name in it."""
    d = os.path.dirname(name)
    os.rename(p.at(d), p.at(d + '.real'))
    os.symlink('elsewhere', p.at(d))


WRITES = (rewrite, append)
CHANGES = (*WRITES, replace, remove, fifo, directory, symlink, swap_parent)


class Held:
    """An act before the Nth of a call."""

    def __init__(self, p, words, call, n):
        self.trace = os.path.join(p.own, 'trace')
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.trace)
        # -I 1 lets a signal end the tracer, and so the delay.
        about = [word for path in ('d', 'd/a', 'e', 'e/b') for word in ('-P', p.at(path))]
        self.act = subprocess.Popen(['strace', '-I', '1', '-D', '-f', '-o', self.trace, *about, '-e', 'trace=' + call, '-e',
                                     'inject=%s:delay_enter=60000000:when=%d' % (call, n), p.program, *words],
                                    env=p.env, cwd=p.top, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.there = False
        while self.act.poll() is None and not self.there:
            time.sleep(0.002)
            with contextlib.suppress(FileNotFoundError):
                self.there = read(self.trace).count(call.encode() + b'(') >= n
        self.tracer = 0
        if self.there:
            with contextlib.suppress(FileNotFoundError), open('/proc/%d/status' % self.act.pid, encoding='utf-8') as f:
                self.tracer = int(next(line.split()[1] for line in f if line.startswith('TracerPid')))
        self.there = self.tracer > 0

    def resume(self):
        if self.there:
            os.kill(self.tracer, 15)
        out = self.act.communicate(timeout=60)[0].decode(errors='replace')
        return self.act.returncode, out


def toctou(part, program):
    need('strace')
    with Place(program) as p:
        for kind in KINDS:
            # FIDEDUPERANGE compares and shares in one call, on file systems that have it.
            for call in CALLS if kind != 'reflink' else ():
                for n in range(1, 40):
                    if not toctou_at(part, p, kind, call, n):
                        break


def toctou_at(part, p, kind, call, n):
    """Each change before that call.  Whether there is one during the act."""
    for change in CHANGES:
        for name in ('d/a', 'e/b'):
            with part.one('%s before %s %d: %s of %s' % (kind, call, n, change.__name__, name)):
                if not toctou_one(p, kind, call, n, change, name):
                    part.tried -= 1
                    return False
    return True


def toctou_one(p, kind, call, n, change, name):
    p.empty()
    for path, data in (('d/a', SAME), ('e/b', SAME), ('other', OTHER), ('elsewhere/a', OTHER), ('elsewhere/b', OTHER)):
        write(p.at(path), data)
    p.scan('d', 'e')
    held = Held(p, [*ACTS[kind], 'd/a', '--yes'], call, n)
    if not held.there:
        held.resume()
        return False
    error = []

    def changes():
        try:
            change(p, name)
        except OSError as e:
            error.append(e)
    writer = threading.Thread(target=changes)
    writer.start()
    # One who writes waits until the act has given way.
    writer.join(0.1 if change in WRITES else None)
    before = None if change in WRITES else digests(p.top)
    status, out = held.resume()
    writer.join()
    after, real = digests(p.top), name.replace('/', '.real/') if change is swap_parent else name
    told = 'status %d: %s\n%s' % (status, out, sorted(after))
    if status not in (0, 1, 2, 3):
        raise Wrong('died, ' + told)
    # What could not get its name back, for another file has it, is told.
    if [name for name in p.ours() if name.decode() not in out]:
        raise Wrong('left %s, %s' % (p.ours(), told))
    wanted = set(before.values()) if before is not None else {hashlib.sha256(SAME).digest()}
    # Of what the act has done entirely, before the last copy went, the loss is that of who changed it.
    if error or change in WRITES and status == 0 or call in ('unlinkat', 'newfstatat') and status == 0 and name == 'e/b':
        wanted.discard(hashlib.sha256(SAME).digest())
    if wanted - set(after.values()):
        raise Wrong('content is lost, ' + told)
    # Where another file has the name still, it says so of what it leaves.
    p.run(['recover'], (0, 3))
    if [name for name in p.ours() if name not in p.out]:
        raise Wrong('recover left %s: %s, %s' % (p.ours(), p.out.decode(errors='replace'), told))
    if wanted - set(digests(p.top).values()):
        raise Wrong('content is lost by recover, ' + told)
    if error:
        return True
    stays = {replace: lambda: read(p.at(real)) == OTHER, remove: lambda: True, fifo: lambda: not os.path.isfile(p.at(real)),
             directory: lambda: read(p.at(real) + '/inside') == OTHER, symlink: lambda: os.readlink(p.at(real)) == '../other',
             swap_parent: lambda: read(p.at('elsewhere/a')) == read(p.at('elsewhere/b')) == OTHER,
             rewrite: lambda: hashlib.sha256(b'SAME').digest() in after.values(),
             append: lambda: hashlib.sha256(SAME + b'more').digest() in after.values()}[change]
    try:
        if not stays():
            raise Wrong('what changed is another, ' + told)
    except OSError as e:
        raise Wrong('what changed is gone, %s, %s' % (e, told)) from e
    return True


# T-POWER

POWER_CALLS = ['fsync', 'fdatasync', 'syncfs', 'linkat', 'symlinkat', 'renameat2', 'unlinkat', 'write']


def power(part, program):
    need('xfs_io', 'strace')
    for fs, make in (('ext4', ['mkfs.ext4', '-q', '-F']), ('xfs', ['mkfs.xfs', '-q', '-f', '-m', 'reflink=1'])):
        rng = random.Random(SEED)
        with tempfile.TemporaryDirectory(prefix='twindex-hazards.') as top:
            disk, m = top + '/disk', os.path.realpath(top) + '/m'
            os.mkdir(m)
            with open(disk, 'wb') as f:
                f.truncate(320 << 20)
            try:
                must(*make, disk)
                mounted('-o', 'loop', disk, m)
                for kind in ('rm', 'hard', 'soft') + (('reflink',) if fs == 'xfs' else ()):
                    for number in range(2 * ROUNDS):
                        call = rng.choice(POWER_CALLS) if number >= ROUNDS else None
                        n, files, flush = rng.randrange(1, 12), rng.choice((1, 3, 40)), rng.random() < 0.5
                        with part.one('%s, %s of %d files, killed by %s %d, round %d' % (fs, kind, files, call, n, number)), Place(program, m) as p:
                            power_one(p, disk, kind, call, n, files, flush)
            except NotHere as e:
                print('%s: %s not tried: %s' % (part.name, fs, e), flush=True)
            finally:
                unmount(os.path.realpath(top))


def power_one(p, disk, kind, call, n, files, flush):
    p.empty()
    for i in range(files):
        write(p.at('d/%d' % i), b'%d' % i * 20000)
    os.sync()
    for i in range(files):
        write(p.at('e/%d' % i), b'%d' % i * 20000)
    p.scan('.')
    wanted = set(digests(p.top).values())
    words = [*ACTS[kind], '-r', 'd', '--yes']
    if call is None:
        p.run(words)
    else:
        subprocess.run(['strace', '-f', '-o', p.own + '/trace', '-e', 'trace=' + call, '-e', 'inject=%s:signal=SIGKILL:when=%d' % (call, n),
                        p.program, *words], env=p.env, cwd=p.top, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    # What another program writes takes the acts to the disk with it, or does not.
    if flush:
        write(p.at('unrelated'), b'x')
        must('xfs_io', '-c', 'fsync', p.at('unrelated'))
    must('xfs_io', '-x', '-c', 'shutdown', p.top)
    must('umount', p.top)
    mounted('-o', 'loop', disk, p.top)
    if wanted - set(digests(p.top).values()):
        raise Wrong('%d contents are lost' % len(wanted - set(digests(p.top).values())))
    p.run(['recover', 'd'])
    if wanted - set(digests(p.top).values()):
        raise Wrong('lost by recover: %d contents' % len(wanted - set(digests(p.top).values())))


# T-NAMES

def names():
    rng = random.Random(SEED)
    found = [bytes((b,)) for b in range(1, 256) if b not in b'./'] + [b'x%cy' % b for b in range(1, 256) if b != 0x2f]
    found += [n for n in NAMES if not n.startswith(OURS)]
    found += [b'\x1b]0;PWNED\x07', b'nl\nrm -rf x', b'bad\xff\xfe', b'-rf', b'--', b'-', b'$(touch P)', b'`touch P`', b"sq';touch P; #",
              b'"', b'\\', b'*', b' lead', b'trail ', b'at its end\n', b'=cmd|calc', b'{a,b}', b'$IFS', b';', b'&', b'|', b'<', b'>', b'7' * 255]
    while len(found) < 1200:
        name = bytes(rng.choice([rng.randrange(1, 256), rng.choice(b" '\"\\$`\n*")]) for _ in range(rng.choice((1, 2, 3, 8, 40, 255))))
        if b'/' not in name and name not in (b'.', b'..'):
            found.append(name)
    return list(dict.fromkeys(found))


# What happens to a file between scan and act, and whether the act is to do it all the same.
def names_change(i, d, e):
    how = i % 8
    if how == 1:
        st = os.stat(d)
        write(d, b'CONTENT %d' % i)
        os.utime(d, ns=(st.st_atime_ns, st.st_mtime_ns))
    elif how == 2:
        os.unlink(e)
    elif how == 3:
        write(e, b'another %d' % i)
    elif how == 4:
        os.unlink(d)
        write(d + b'/inside', b'inside')
    elif how == 5:
        os.unlink(d)
        os.mkfifo(d)
    elif how == 6:
        os.unlink(d)
        os.symlink(e, d)
    return how in (0, 7)


def tried_names(part, program):
    with Place(program) as p:
        must('mount', '-t', 'tmpfs', 'none', p.top)
        try:
            for kind in KINDS:
                if kind != 'reflink':
                    names_of_kind(part, p, kind)
        finally:
            unmount(p.own)
    if 'reflink' not in KINDS:
        return
    with Place(program) as p:
        with open(p.own + '/disk', 'wb') as f:
            f.truncate(320 << 20)
        try:
            must('mkfs.xfs', '-q', '-m', 'reflink=1', p.own + '/disk')
            mounted('-o', 'loop', p.own + '/disk', p.top)
            names_of_kind(part, p, 'reflink')
        except NotHere as e:
            print('%s: reflinks not tried: %s' % (part.name, e), flush=True)
        finally:
            unmount(p.own)


def names_of_kind(part, p, kind):
    # One process a file takes long: of calls of twindex one in eight; of those without all.
    for changed in (False, True):
        with part.one('%s, changed: %s' % (kind, changed)):
            part.tried += names_one(p, kind, None, None, changed, names()) - 1
        for shell in SHELLS:
            if shutil.which(shell[0]) is None:
                continue
            for form in ([], ['--portable']):
                if form and kind == 'reflink':
                    continue
                some = names() if form else names()[::8]
                with part.one('rmsh %s %s in %s, changed: %s' % (kind, form, shell, changed)):
                    part.tried += names_one(p, kind, form, shell, changed, some) - 1


def names_one(p, kind, form, shell, changed, some):
    p.empty()
    d, e = os.fsencode(p.at('d')), os.fsencode(p.at('e'))
    for i, name in enumerate(some):
        data = b'content %d' % i * (1 if kind != 'reflink' else 900)
        write(d + b'/' + name, data)
        write(e + b'/%d' % i, data)
    p.scan('d', 'e')
    goes = {name: not changed or names_change(i, d + b'/' + name, e + b'/%d' % i) for i, name in enumerate(some)}
    before, kinds = digests(p.top), {n: os.lstat(d + b'/' + n).st_mode >> 12 for n in some}
    blocks = free_blocks(p)
    if form is None:
        p.run([*ACTS[kind], '-r', 'd', '--yes'], (3,) if changed else (0,))
    else:
        p.script(kind, form, shell, 'd')
    after = digests(p.top)
    if set(before.values()) - set(after.values()):
        raise Wrong('%d contents are lost' % len(set(before.values()) - set(after.values())))
    if [x for x in os.listdir(p.top) if x not in ('d', 'e')] or p.ours():
        raise Wrong('something else happened: %s %s' % (os.listdir(p.top), p.ours()))
    if sorted(os.listdir(e)) != sorted(b'%d' % i for i in range(len(some)) if os.path.lexists(e + b'/%d' % i)):
        raise Wrong('e has other names')
    for i, name in enumerate(some):
        path, copy = d + b'/' + name, e + b'/%d' % i
        if not goes[name]:
            if not os.path.lexists(path) or os.lstat(path).st_mode >> 12 != kinds[name] or before.get(path) != after.get(path):
                raise Wrong('%r changed after the scan, and was acted on: %s' % (name, p.out.decode(errors='replace')[-500:]))
            continue
        done = {'rm': lambda: not os.path.lexists(path), 'hard': lambda: os.path.samefile(path, copy) and not os.path.islink(path),
                'soft': lambda: os.path.islink(path) and os.path.samefile(path, copy), 'reflink': lambda: after.get(path) == before.get(path)}[kind]
        if not done():
            raise Wrong('%r is redundant still: %s' % (name, p.out.decode(errors='replace')[-500:]))
    if kind == 'reflink':
        freed, least = free_blocks(p) - blocks, sum(goes.values()) * 8192
        if freed < least:
            raise Wrong('%d bytes were freed, which were to be %d' % (freed, least))
    return len(some)


def free_blocks(p):
    # XFS frees what is not used any more by and by.
    subprocess.run(['sync', '-f', p.top], check=False)
    s = os.statvfs(p.top)
    return s.f_bfree * s.f_frsize


# T-UNDO

def undo(part, program):
    with Place(program) as p:
        with open(p.own + '/disk', 'wb') as f:
            f.truncate(320 << 20)
        kinds = {'rm': ['rm'], 'trash': ['rm', '--trash'], **LINKS}
        try:
            must('mkfs.xfs', '-q', '-m', 'reflink=1', p.own + '/disk')
            mounted('-o', 'loop', p.own + '/disk', p.top)
        except NotHere as e:
            print('%s: reflinks not tried: %s' % (part.name, e), flush=True)
            del kinds['reflink']
        try:
            rng, made, each = random.Random(SEED), [], 1000 // len(kinds)
            for kind in kinds:
                for i in range(each):
                    data, name = b'%s %d ' % (kind.encode(), i) * 500, p.at('%s/%d/%d' % (kind, i % 7, i))
                    made += [name]
                    write(name, data)
                    write(p.at('stays/%s/%d' % (kind, i)), data)
                    for path in (name, p.at('stays/%s/%d' % (kind, i))):
                        # Links are made where the attributes are equal.
                        os.chmod(path, 0o600 + 8 * (i % 8))
                        if os.getuid() == 0:
                            os.chown(path, i % 3, i % 5)
                    os.utime(name, ns=(10**18 + i, rng.randrange(10**18)))
            p.scan('.')
            before = {path: undo_told(path) for path in made}
            for kind, words in kinds.items():
                p.run([*words, '-r', kind, '--yes'])
            done = sum(not os.path.exists(path) or undo_told(path) != before[path] or '/reflink/' in path for path in made)
            if done != len(made):
                raise Wrong('%d of %d were acted on' % (done, len(made)))
            p.run(['undo', str(len(kinds) * each)])
            for path in made:
                with part.one(path):
                    if not os.path.lexists(path) or undo_told(path) != before[path]:
                        raise Wrong('did not come back: %s, not %s' % (os.path.lexists(path) and undo_told(path), before[path]))
            p.run(['check'])
        finally:
            unmount(p.own)


def undo_told(path):
    st = os.lstat(path)
    return read(path), st.st_mode, st.st_uid, st.st_gid, st.st_nlink, st.st_mtime_ns


PARTS = {'T-ALIAS': alias, 'T-TOCTOU': toctou, 'T-POWER': power, 'T-NAMES': tried_names, 'T-UNDO': undo}
MOUNTS = ('T-ALIAS', 'T-POWER', 'T-NAMES')


def main():
    program, asked, wrong = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(PARTS), 0
    mounts = os.getuid() == 0 and subprocess.run(['unshare', '-m', 'true'], check=False, stderr=subprocess.DEVNULL).returncode == 0
    if mounts and 'HAZARDS_MOUNTS' not in os.environ:
        os.environ['HAZARDS_MOUNTS'] = 'own'
        os.execvp('unshare', ['unshare', '-m', sys.executable, '-SB', *sys.argv])
    for name in asked:
        part = Part(name)
        try:
            if name in MOUNTS and not mounts:
                raise NotHere('only root may mount')
            PARTS[name](part, program)
        except NotHere as e:
            print('%s: not tried: %s' % (name, e), flush=True)
            continue
        except Wrong as e:
            part.wrong += 1
            print('%s: %s' % (name, e), flush=True)
        print('%s: %d tried, %d wrong' % (name, part.tried, part.wrong), flush=True)
        wrong += part.wrong
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
