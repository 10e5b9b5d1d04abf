# SPDX-License-Identifier: MIT
"""A tree of files made and edited at random, from a seed.

All names are bytes.  Every edit is noted in Tree.log, so that a failure can be
read, and is one method edit_NAME; Tree.edit() chooses among them.
"""

import functools
import mmap
import os
import shutil
import stat

SIZES = [0, 1, 1, 2, 3, 100, 4095, 4096, 4097, 8192, 32767, 32768, 32769, 32769, 65536,
         131071, 131072, 131073, 131073, 300000, 300000, 1 << 20]

NAMES = [b'a', b'b', b'c', b'file', b'x y', b' lead', b'trail ', b'-rf', b'--help', b'*', b'?', b'[a]', b'$HOME',
         b"it's", b'"q"', b'back\\slash', b'\\xff', b'new\nline', b'\n', b'\t', b'\x01', b'\x1b[31mred', b'\x7f',
         b'\xff', b'\xff\xfe', b'\xc3\x28', b'\xed\xa0\x80', b'\xc0\xaf', b'\xe2\x80\xae', b'\xc3\xa4', b'a\xcc\x88',
         b'%s', b'...', b'..x', b'xff', b'/xff'.replace(b'/', b'%'), b'name\xa0', b'n' * 255, b'\xf0\x9f\x98\x80' * 63]
HIDDEN = [b'.h', b'.hidden', b'.\xff']


@functools.cache
def unit(base):
    return bytes((i * 7 + base * 31 + (i >> 8)) & 0xff for i in range(4096))


def content(size, base, change):
    """Bytes of one of a few contents of this size; change: None or where one byte differs."""
    if base == 0:
        data = bytearray(size)
    else:
        data = bytearray((unit(base) * (size // 4096 + 1))[:size])
    if change is not None and size > 0:
        at = {'first': 0, 'middle': size // 2, 'last': size - 1}[change]
        data[at] ^= 0x55
    return bytes(data)


def show(path, top):
    """A path for the log: relative, long names cut."""
    parts = os.path.relpath(path, top).split(b'/')
    return repr(b'/'.join(p if len(p) < 40 else p[:8] + b'~%d' % len(p) for p in parts))


class Tree:
    def __init__(self, top, rng, mmaps=True, restore=True):
        self.top, self.rng = top, rng
        self.mmaps, self.restore = mmaps, restore
        self.log = []
        self.maps = {}       # inode: mmap
        self.fixed = set()   # directories that stay: the roots

    def close(self):
        for m in self.maps.values():
            m.close()
        self.maps = {}

    def note(self, what, *paths):
        self.log.append(' '.join([what] + [show(p, self.top) if isinstance(p, bytes) else str(p) for p in paths]))

    # What is there.

    def dirs(self):
        return sorted(d for d, _, _ in os.walk(self.top) if d != self.top)

    def files(self):
        found = []
        for d, _, names in os.walk(self.top):
            found += [os.path.join(d, n) for n in names]
        return sorted(f for f in found if stat.S_ISREG(os.lstat(f).st_mode))

    def some_dir(self):
        return self.rng.choice(self.dirs())

    def some_file(self):
        files = self.files()
        return self.rng.choice(files) if files else None

    def new_path(self):
        """A path that is free."""
        while True:
            name = self.rng.choice(NAMES if self.rng.random() < 0.93 else HIDDEN)
            if self.rng.random() < 0.5 and len(name) < 250:
                name += b'%d' % self.rng.randrange(30)
            path = os.path.join(self.some_dir(), name)
            if not os.path.lexists(path):
                return path

    def some_content(self, size=None):
        """Mostly a content that others have, or nearly have."""
        rng = self.rng
        if size is None:
            files = self.files()
            if files and rng.random() < 0.3:
                path = rng.choice(files)
                with open(path, 'rb') as f:
                    return f.read()
            size = rng.choice(SIZES) if rng.random() < 0.9 else rng.randrange(5000)
        return content(size, rng.choice([0, 1, 1, 2]), rng.choice([None, None, 'first', 'middle', 'last']))

    def write(self, path, data, how=None):
        how = how or self.rng.choice(['plain', 'plain', 'holes', 'grow'])
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        fd = os.open(path, flags, 0o644)
        try:
            if how == 'holes':
                os.ftruncate(fd, len(data))
                for at in range(0, len(data), 4096):
                    part = data[at:at + 4096]
                    if part.strip(b'\0'):
                        os.pwrite(fd, part, at)
            elif how == 'grow':
                half = len(data) // 2
                os.write(fd, data[:half])
                os.write(fd, data[half:])
            else:
                os.write(fd, data)
        finally:
            os.close(fd)

    def make(self, n_dirs, n_files):
        for _ in range(n_dirs):
            self.edit_new_dir()
        for _ in range(n_files):
            self.edit_new_file() if self.rng.random() < 0.85 else self.edit_link()

    # Edits.

    def edit(self):
        names = [n for n in dir(self) if n.startswith('edit_')]
        getattr(self, self.rng.choice(names))()

    def edit_new_file(self):
        path = self.new_path()
        data = self.some_content()
        self.write(path, data)
        self.note('new', path, len(data))

    def edit_new_twin(self):
        """A new file that makes an old one, perhaps never read, interesting."""
        f = self.some_file()
        if f is None:
            return
        path = self.new_path()
        with open(f, 'rb') as g:
            data = g.read()
        if data and self.rng.random() < 0.4:
            at = self.rng.choice([0, len(data) // 2, len(data) - 1])
            data = data[:at] + bytes([data[at] ^ 0x11]) + data[at + 1:]
        self.write(path, data)
        self.note('twin', path, f)

    def edit_new_dir(self):
        path = self.new_path()
        os.mkdir(path)
        self.note('mkdir', path)

    def overwrite(self, path, data):
        with open(path, 'r+b') as f:
            f.write(data)

    def edit_rewrite(self):
        f = self.some_file()
        if f is not None:
            self.overwrite(f, self.some_content(os.lstat(f).st_size))
            self.note('rewrite', f)

    def edit_rewrite_restore(self):
        f = self.some_file()
        if f is not None and self.restore:
            st = os.lstat(f)
            self.overwrite(f, self.some_content(st.st_size))
            os.utime(f, ns=(st.st_atime_ns, st.st_mtime_ns))
            self.note('rewrite, mtime restored', f)

    def edit_old_time(self):
        f = self.some_file()
        if f is not None and self.restore:
            ns = self.rng.choice([0, -1, 10**9, 981173106 * 10**9 + 5, 4102444800 * 10**9, -2000000000 * 10**9])
            try:
                os.utime(f, ns=(ns, ns))
            except OSError:
                return
            self.note('utime %d' % ns, f)

    def edit_append(self):
        f = self.some_file()
        if f is not None and os.lstat(f).st_size < 2 << 20:
            with open(f, 'ab') as g:
                g.write(self.rng.choice([b'x', b'\0', bytes(4096)]))
            self.note('append', f)

    def edit_truncate(self):
        f = self.some_file()
        if f is not None and os.lstat(f).st_ino not in self.maps:
            size = self.rng.choice([0, os.lstat(f).st_size // 2, max(0, os.lstat(f).st_size - 1), 4096, 32769])
            os.truncate(f, size)
            self.note('truncate', f, size)

    def edit_rename(self):
        f = self.some_file()
        if f is not None:
            to = self.new_path() if self.rng.random() < 0.7 else self.some_file()
            os.rename(f, to)
            self.note('rename', f, to)

    def edit_swap(self):
        a, b = self.some_file(), self.some_file()
        if a is not None and a != b:
            aside = a + b'~' if len(os.path.basename(a)) < 250 else os.path.join(os.path.dirname(a), b'~')
            os.rename(a, aside)
            os.rename(b, a)
            os.rename(aside, b)
            self.note('swap', a, b)

    def may_move(self, d):
        return not any(f == d or f.startswith(d + b'/') for f in self.fixed)

    def edit_rename_dir(self):
        d = self.some_dir()
        to = self.new_path()
        if self.may_move(d) and not (to + b'/').startswith(d + b'/'):
            os.rename(d, to)
            self.note('rename dir', d, to)

    def edit_move_dir_below_itself(self):
        """What was above comes to lie below: a/b becomes b/a."""
        b = self.some_dir()
        a = os.path.dirname(b)
        if a == self.top or not self.may_move(a) or not self.may_move(b):
            return
        to = self.new_path()
        if (to + b'/').startswith(a + b'/'):
            return
        os.rename(b, to)
        if not os.path.lexists(os.path.join(to, b'a')):
            os.rename(a, os.path.join(to, b'a'))
        self.note('turn over', a, b, to)

    def edit_swap_dirs(self):
        a, b = self.some_dir(), self.some_dir()
        if a == b or (a + b'/').startswith(b + b'/') or (b + b'/').startswith(a + b'/'):
            return
        if not self.may_move(a) or not self.may_move(b):
            return
        aside = self.top + b'~aside'
        os.rename(a, aside)
        os.rename(b, a)
        os.rename(aside, b)
        self.note('swap dirs', a, b)

    def edit_move_and_make_anew(self):
        """A directory moves away, and another one takes its name; perhaps it moves into that one."""
        d = self.some_dir()
        if not self.may_move(d):
            return
        aside = self.top + b'~aside'
        os.rename(d, aside)
        os.mkdir(d)
        for _ in range(self.rng.randrange(3)):
            self.write(os.path.join(d, self.rng.choice(NAMES)), self.some_content())
        if self.rng.random() < 0.5:
            to = os.path.join(d, b'old')
        else:
            to = self.new_path()
        os.rename(aside, to)
        self.note('move and make anew', d, to)

    def edit_replace(self):
        f = self.some_file()
        if f is None:
            return
        st = os.lstat(f)
        new = self.top + b'~new'
        self.write(new, self.some_content(st.st_size if self.rng.random() < 0.7 else None))
        if self.rng.random() < 0.5:
            os.utime(new, ns=(st.st_atime_ns, st.st_mtime_ns))
        os.rename(new, f)
        self.note('replace', f)

    def edit_delete(self):
        f = self.some_file()
        if f is not None and len(self.files()) > 3:
            os.unlink(f)
            self.note('delete', f)

    def edit_delete_dir(self):
        d = self.some_dir()
        if self.may_move(d) and self.rng.random() < 0.4:
            shutil.rmtree(d)
            self.note('delete dir', d)

    def edit_link(self):
        f = self.some_file()
        if f is not None:
            to = self.new_path()
            os.link(f, to)
            self.note('link', f, to)

    def edit_chmod(self):
        f = self.some_file()
        if f is not None:
            os.chmod(f, self.rng.choice([0o600, 0o644, 0o444 | 0o200, 0o755]))
            self.note('chmod', f)

    def edit_file_becomes_dir(self):
        f = self.some_file()
        if f is not None and len(self.files()) > 3:
            os.unlink(f)
            os.mkdir(f)
            self.write(os.path.join(f, b'in'), self.some_content())
            self.note('file becomes dir', f)

    def edit_dir_becomes_file(self):
        d = self.some_dir()
        if self.may_move(d) and self.rng.random() < 0.3:
            shutil.rmtree(d)
            self.write(d, self.some_content())
            self.note('dir becomes file', d)

    def edit_special(self):
        path = self.new_path()
        kind = self.rng.choice(['fifo', 'link', 'loop', 'dangling'])
        if kind == 'fifo':
            os.mkfifo(path)
        elif kind == 'link':
            os.symlink(self.some_file() or b'/etc/passwd', path)
        elif kind == 'loop':
            os.symlink(os.path.dirname(path), path)
        else:
            os.symlink(b'nowhere', path)
        self.note(kind, path)

    def edit_mmap(self):
        """Store through a mapping: the first store sets the times, later ones do not until writeback."""
        if not self.mmaps:
            return
        if self.maps and self.rng.random() < 0.6:
            ino = self.rng.choice(sorted(self.maps))
            m = self.maps[ino]
            same = [f for f in self.files() if os.lstat(f).st_size == len(m) and os.lstat(f).st_ino != ino]
            if same and self.rng.random() < 0.7:
                with open(self.rng.choice(same), 'rb') as g:
                    data = g.read()
            else:
                data = self.some_content(len(m))
            m[:] = data
            self.note('store through mmap, inode %d' % ino)
            return
        f = self.some_file()
        if f is None or os.lstat(f).st_size == 0 or os.lstat(f).st_ino in self.maps or len(self.maps) > 4:
            return
        with open(f, 'r+b') as g:
            m = mmap.mmap(g.fileno(), 0)
        self.maps[os.lstat(f).st_ino] = m
        data = bytes(m)
        m[:] = data
        self.note('mmap', f)
