# SPDX-License-Identifier: MIT
"""Drive a program on a terminal of its own, and see what that terminal shows.

    with Pty([program, "shell"], env={"TERM": "xterm"}) as p:
        p.expect("> ")              # next in what it writes, escapes left out
        p.send("ls\\t")
        p.until(lambda: p.line() == "> ls ")   # what is to be seen
        p.resize(10, 40)
        p.send("\\x04")
        assert p.wait() == 0

Nothing but the standard library.  The terminal understands what xterm's
terminfo entry makes programs write, not more.
"""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import unicodedata

TIMEOUT = 20  # seconds; sanitizers and a busy machine are slow
QUIET = 0.2   # seconds without a word of a program that waits for keys


def width(char):
    if unicodedata.combining(char) or char in "\u200b\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class Screen:
    """The cells of a terminal; a wide character leaves an empty cell behind it."""

    def __init__(self, rows, cols):
        self.rows, self.cols = rows, cols
        self.cells = [[" "] * cols for _ in range(rows)]
        self.row = self.col = 0
        self.wraps = False   # the last column was written: the next character goes to the next row
        self.saved = (0, 0)
        self.modes = set()
        self.bells = 0
        self.unknown = []    # sequences that were not understood
        self.pending = ""
        self.last = " "      # the character that was written last

    def resize(self, rows, cols):
        cells = self.cells
        if self.row >= rows:
            cells = cells[self.row + 1 - rows:]
            self.row = rows - 1
        cells = [row[:cols] + [" "] * (cols - len(row)) for row in cells[:rows]]
        self.cells = cells + [[" "] * cols for _ in range(rows - len(cells))]
        self.rows, self.cols = rows, cols
        self.col = min(self.col, cols - 1)
        self.wraps = False

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    SEQUENCE = re.compile(r"\x1b(?:\[([0-?]*)[ -/]*([@-~])|\]([^\x07\x1b]*)(?:\x07|\x1b\\)|([()][0-9A-Za-z])|([78=>cDEMHZ]))")

    def feed(self, text):
        text = self.pending + text
        self.pending = ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self.put(text[at])
                at += 1
                continue
            found = self.SEQUENCE.match(text, at)
            if found is None:
                # Cut off in the middle, or nothing that is known.
                if len(text) - at < 64 and re.fullmatch(r"\x1b(\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[()])?", text[at:]):
                    self.pending = text[at:]
                    return
                self.unknown.append(text[at:at + 8])
                at += 1
                continue
            at = found.end()
            if found[2] is not None:
                self.control(found[1], found[2])
            elif found[5] is not None:
                self.escape(found[5])

    def put(self, c):
        if c == "\r":
            self.col, self.wraps = 0, False
        elif c in "\n\v\f":
            self.down()
        elif c == "\b":
            self.col, self.wraps = max(self.col - 1, 0), False
        elif c == "\t":
            self.col = min(self.col // 8 * 8 + 8, self.cols - 1)
        elif c == "\a":
            self.bells += 1
        elif c >= " " and c != "\x7f":
            self.write(c)

    def write(self, c):
        n = width(c)
        if n == 0:
            at = self.cols - 1 if self.wraps else max(self.col - 1, 0)
            self.cells[self.row][at] += c
            return
        if self.wraps or self.col + n > self.cols:
            self.col, self.wraps = 0, False
            self.down()
        self.cells[self.row][self.col:self.col + n] = [c] + [""] * (n - 1)
        self.last = c
        self.col += n
        if self.col >= self.cols:
            self.col, self.wraps = self.cols - 1, True

    def down(self):
        self.wraps = False
        if self.row + 1 < self.rows:
            self.row += 1
        else:
            self.cells = self.cells[1:] + [[" "] * self.cols]

    def escape(self, c):
        if c == "7":
            self.saved = (self.row, self.col)
        elif c == "8":
            self.row, self.col = self.saved
        elif c in "DE":
            self.down()
            self.col = 0 if c == "E" else self.col
        elif c == "M":
            if self.row > 0:
                self.row -= 1
            else:
                self.cells = [[" "] * self.cols] + self.cells[:-1]
        elif c == "c":
            self.__init__(self.rows, self.cols)

    def control(self, args, final):
        if args[:1] == "?":
            (self.modes.add if final == "h" else self.modes.discard)(args)
            return
        numbers = [int(n) if n.isdigit() else 0 for n in args.split(";")]
        n = max(numbers[0], 1)
        row = self.cells[self.row]
        self.wraps = self.wraps and final == "m"
        if final == "A":
            self.row = max(self.row - n, 0)
        elif final in "Be":
            self.row = min(self.row + n, self.rows - 1)
        elif final in "Ca":
            self.col = min(self.col + n, self.cols - 1)
        elif final == "D":
            self.col = max(self.col - n, 0)
        elif final in "G`":
            self.col = min(n, self.cols) - 1
        elif final == "d":
            self.row = min(n, self.rows) - 1
        elif final in "Hf":
            self.row = min(n, self.rows) - 1
            self.col = min(max((numbers + [1])[1], 1), self.cols) - 1
        elif final == "K":
            begin, end = [(self.col, self.cols), (0, self.col + 1), (0, self.cols)][numbers[0]]
            row[begin:end] = [" "] * (end - begin)
        elif final == "J":
            first, last = [(self.row + 1, self.rows), (0, self.row), (0, self.rows)][min(numbers[0], 2)]
            for at in range(first, last):
                self.cells[at] = [" "] * self.cols
            if numbers[0] < 2:
                self.control(args, "K")
        elif final == "P":
            self.cells[self.row] = (row[:self.col] + row[self.col + n:] + [" "] * n)[:self.cols]
        elif final == "@":
            self.cells[self.row] = (row[:self.col] + [" "] * n + row[self.col:])[:self.cols]
        elif final == "b":
            for _ in range(n):
                self.write(self.last)
        elif final == "X":
            end = min(self.col + n, self.cols)
            row[self.col:end] = [" "] * (end - self.col)
        elif final == "L":
            self.cells[self.row:] = ([[" "] * self.cols for _ in range(n)] + self.cells[self.row:])[:self.rows - self.row]
        elif final == "M":
            rest = self.cells[self.row + n:]
            self.cells[self.row:] = rest + [[" "] * self.cols for _ in range(self.rows - self.row - len(rest))]
        elif final not in "mrhltn":
            self.unknown.append(args + final)


class Pty:
    """A program on a terminal of rows and columns; env replaces variables (None removes one)."""

    def __init__(self, argv, env=None, rows=24, cols=80, cwd=None):
        environment = dict(os.environ, TERM="xterm")
        environment.update(env or {})
        environment = {k: v for k, v in environment.items() if v is not None}
        self.screen = Screen(rows, cols)
        self.raw = b""          # all that it wrote
        self.plain = ""         # the same without escapes, from where expect() left off
        self.status = None
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
                if cwd is not None:
                    os.chdir(cwd)
                # Shells start what runs in the background with some of these ignored, and nohup one.
                for sig in signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU:
                    signal.signal(sig, signal.SIG_DFL)
                os.execvpe(argv[0], argv, environment)
            except OSError as e:
                print(e, file=sys.stderr)
            finally:
                os._exit(127)
        os.set_blocking(self.fd, False)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def read(self, seconds):
        """Take what it writes within that time, at most once.  Returns False at its end."""
        if self.fd < 0:
            return False
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 65536)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            return False
        self.raw += data
        text = self.decoder.decode(data)
        self.screen.feed(text)
        self.plain += text
        return True

    def stripped(self):
        """What came since the last expect(), without escapes."""
        return re.sub(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][0-9A-Za-z]|[78=>cDEMHZ])|[\x00\x07]", "", self.plain)

    def send(self, data):
        """Type text or bytes; what is written meanwhile is taken, so that long texts do not block."""
        data = data.encode() if isinstance(data, str) else data
        end = time.monotonic() + TIMEOUT * 3
        while data:
            _, ready, _ = select.select([], [self.fd], [], 0.05)
            if ready:
                try:
                    data = data[os.write(self.fd, data[:16384]):]
                except BlockingIOError:
                    pass
            self.read(0)
            if time.monotonic() > end:
                raise AssertionError("it does not take what is typed\n" + self.show())

    def expect(self, regex, timeout=TIMEOUT):
        """Wait for the expression in what it writes, and take all up to there.  Returns the match."""
        end = time.monotonic() + timeout
        while True:
            text = self.stripped()
            found = re.search(regex, text)
            if found:
                # Escapes are gone from what is left; nothing needs them any more.
                self.plain = text[found.end():]
                return found
            left = end - time.monotonic()
            if left <= 0 or not self.read(min(left, 0.5)):
                raise AssertionError("no %r in %r\n%s" % (regex, text[-2000:], self.show()))

    def until(self, condition, timeout=TIMEOUT):
        """Wait until the condition holds, of the screen for example."""
        end = time.monotonic() + timeout
        while not condition():
            left = end - time.monotonic()
            if left <= 0 or not self.read(min(left, 0.1)) and not condition():
                raise AssertionError("it did not come to that\n" + self.show())

    def tasks(self):
        """Of each thread of the program, its first one first, and of what it started: its number, its state, and how often it has slept."""
        found, todo = [], [self.pid]
        while todo:
            pid = todo.pop()
            tasks = "/proc/%d/task" % pid
            # Numbers begin anew behind the largest: a thread's may be smaller than its process's.
            for task in sorted(os.listdir(tasks), key=lambda task: (int(task) != pid, int(task))):
                try:
                    with open("%s/%s/status" % (tasks, task)) as f:
                        status = f.read()
                    with open("%s/%s/children" % (tasks, task)) as f:
                        todo += [int(child) for child in f.read().split()]
                except (FileNotFoundError, ProcessLookupError):
                    # It has ended since the directory was listed.
                    continue
                found.append((task, *re.search(r"(?s)State:\t(.).*voluntary_ctxt_switches:\t(\d+)", status).groups()))
        return found

    def asleep(self):
        """Its tasks where all sleep and nothing that was typed is left to read, otherwise none of them.  None: nothing tells."""
        try:
            # To poll the program's side also takes what is still on its way there.
            fd = os.open("/proc/%d/fd/0" % self.pid, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                unread = select.select([fd], [], [], 0)[0]
            finally:
                os.close(fd)
            tasks = self.tasks()
        except OSError:
            return None
        return tasks if not unread and all(state in "STZ" for _, state, _ in tasks) else []

    def settle(self):
        """Take what it writes until it waits for keys; where nothing tells that, until it was quiet for a while."""
        slept, end = [], time.monotonic() + TIMEOUT
        silent = time.monotonic() + QUIET
        while time.monotonic() < end:
            before = len(self.raw)
            if not self.read(0.002):
                return
            last, slept = slept, self.asleep()
            if len(self.raw) > before:
                slept, silent = [], time.monotonic() + QUIET
            elif slept is None and time.monotonic() > silent:
                return
            elif slept and slept == last:
                # Asleep twice, and none of them was awake in between.
                return

    def line(self):
        """The row of the cursor."""
        return self.screen.lines()[self.screen.row]

    def lines(self):
        """The rows of the screen, without empty ones at the end."""
        lines = self.screen.lines()
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def show(self):
        return "\n".join("    |" + line for line in self.lines())

    def resize(self, rows, cols):
        self.screen.resize(rows, cols)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def foreground(self):
        """The process group that the keys' signals go to."""
        return os.tcgetpgrp(self.fd)

    def echoes(self):
        """Whether the terminal itself echoes and collects lines, as outside of an editor."""
        flags = termios.tcgetattr(self.fd)[3]
        return bool(flags & termios.ECHO) and bool(flags & termios.ICANON)

    def kill(self, sig):
        os.kill(self.pid, sig)

    def wait(self, timeout=TIMEOUT):
        """Wait for its end, and take all that it wrote.  Returns its exit status, or minus the signal that ended it."""
        end = time.monotonic() + timeout
        while self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == self.pid:
                self.status = os.waitstatus_to_exitcode(status)
                self.drain()
            elif time.monotonic() > end:
                raise AssertionError("it does not end\n" + self.show())
            else:
                self.read(0.05)
        return self.status

    def drain(self):
        """Take what an ended program wrote last, which may still be on its way.  A child of it that lives on holds the terminal open."""
        end = time.monotonic() + 2
        while time.monotonic() < end and self.read(end - time.monotonic()):
            pass

    def close(self):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.wait()
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def run(tests):
    """Run functions, those named in the arguments or all; print which fail and exit."""
    failed = 0
    for test in tests:
        if len(sys.argv) > 1 and test.__name__ not in sys.argv[1:]:
            continue
        try:
            test()
        except AssertionError as e:
            failed += 1
            print("%s: %s" % (test.__name__, e))
    sys.exit(1 if failed else 0)
