# SPDX-License-Identifier: MIT
"""Wholes in the trees of keep.py: rm takes all files of one or none, and nobody takes a part.

A whole stays if something in it does whichever copies are chosen; then if the choice, with all
these as the first copies to stay, leaves something in it, or takes something of which no copy
stays for a reason; until no other one does.
"""

import functools
import json
import os
import sys
from base64 import b64decode

sys.dont_write_bytecode = True

import keep  # noqa: E402
import seeds  # noqa: E402

keep.DIRS += [b'node_modules', b'x.lrdata', b'm', b'w']
MARKERS = [([b'.git'], []), ([], [b'pyvenv.cfg']), ([b'cur', b'new', b'tmp'], []), ([b'.svn'], []), ([b'objects', b'refs'], [b'HEAD'])]


@functools.cache
def is_whole(path):
    """By the words of the manual."""
    if os.path.basename(path) == b'node_modules' or path.endswith(b'.lrdata'):
        return True
    return any(all(os.path.lexists(os.path.join(path, e)) for e in dirs + files) for dirs, files in MARKERS)


def whole_of(path, base):
    """The outermost whole above a path and below base; None: there is none."""
    at = len(base)
    while keep.below(path, base) and (at := path.find(b'/', at + 1)) > 0:
        if is_whole(path[:at]):
            return path[:at]
    return None


class Round(keep.Round):
    def furnish(self):
        rng = self.rng
        for d in rng.sample(self.dirs, min(len(self.dirs), rng.randint(1, 3))):
            dirs, files = rng.choice(MARKERS)
            for name in dirs:
                os.makedirs(os.path.join(d, name), exist_ok=True)
            for name in files:
                with open(os.path.join(d, name), 'wb') as f:
                    f.write(rng.choice([b'', b'one', b'two', b'alone in ' + d]))

    def goes(self, choice):
        """What rm would remove."""
        about = choice.about()
        files = [f for f in self.files if f.content]

        def base_of(f):
            return max((p for p in about if keep.below(f.path, p)), key=len, default=None)

        whole = {f.path: whole_of(f.path, base_of(f)) for f in files if base_of(f) is not None}

        def counts(f):
            return not keep.IN_TRASH(f.path) and (not choice.into or keep.below_any(f.path, choice.into))

        def stays_surely(f):
            return (f.dirs_hidden(base_of(f), whole.get(f.path)) or keep.below_any(f.path, choice.protect) or self.marks.get(f.path) == 'keep' or
                    not any(g.content == f.content and g.inode != f.inode and counts(g) for g in files))

        def has_reason(f, goes):
            """Whether a copy stays that should rather do so, or lies where --in says that copies count."""
            return any(g.content == f.content and g.inode != f.inode and g.path not in goes and counts(g) and
                       (choice.into or choice.reasons(g, about, self.marks) < choice.reasons(f, about, self.marks)) for g in files)

        by_path = {f.path: f for f in files}
        staying = {whole[f.path] for f in files if whole.get(f.path) and stays_surely(f)}
        choice.tops = whole
        while True:
            choice.parts = {path for path, w in whole.items() if w in staying}
            goes = choice.goes(files, self.marks)
            more = {w for path, w in whole.items() if w and w not in staying and (path not in goes or not has_reason(by_path[path], goes))}
            if not more:
                return goes
            staying |= more

    def reported(self, choice):
        """What report says goes: no part of a whole."""
        about = choice.about()
        files = [f for f in self.files if f.content]
        bases = {f.path: max((p for p in about if keep.below(f.path, p)), key=len, default=None) for f in files}
        choice.parts = {path for path, base in bases.items() if base is not None and whole_of(path, base)}
        goes = choice.goes(files, self.marks)
        return {p for p in goes if not keep.IN_TRASH(p) or any(keep.IN_TRASH(d + b'/') and keep.below(p, d) for d in about)}

    def ask_whole(self, choice):
        """Compare rm, report and redundant.  Returns what rm would remove, None if it refuses."""
        if not choice.about():
            return None
        goes = self.goes(choice)
        answer = json.loads(self.run(b'rm', b'-rn', b'--json', *choice.paths, *choice.options).stdout)
        planned = {self.path(f) for f in answer['files'] if f['outcome'] == 'planned'}
        self.compare('rm', goes, planned)
        sets = json.loads(self.run(b'report', b'--json', *choice.paths, *choice.options).stdout)['sets']
        self.compare('report', self.reported(choice), {self.path(m) for s in sets for m in s['members'] if m.get('choice') == 'goes'})
        choice.parts, choice.tops = set(), {}
        inside = json.loads(self.run(b'rm', b'-rn', b'--json', b'--inside', *choice.paths, *choice.options).stdout)
        self.compare('rm --inside', choice.goes([f for f in self.files if f.content], self.marks),
                     {self.path(f) for f in inside['files'] if f['outcome'] == 'planned'})
        dirs = [p for p in choice.paths if os.path.isdir(p)]
        trees = json.loads(self.run(b'redundant', b'--json', *dirs).stdout)['trees'] if dirs or len(choice.paths) == len(self.roots) else []
        for path in map(self.path, trees):
            base = max((d for d in dirs or self.roots if keep.below(path, d)), key=len)
            if whole_of(path, base):
                raise seeds.Disagreement('redundant tells a part of a whole: %s' % path)
        return goes

    @staticmethod
    def path(record):
        return b64decode(record['path_b64']) if 'path_b64' in record else record['path'].encode()

    def play(self):
        self.make()
        self.mark(True)
        goes = None
        for _ in range(6):
            choice = keep.Choice(self.rng, self)
            if b'--per-volume' not in choice.options:
                goes, done = self.ask_whole(choice), choice
        if goes is not None:
            self.remove(done, goes)


if __name__ == '__main__':
    sys.exit(seeds.main(Round))
