# SPDX-License-Identifier: MIT
"""Answers acted out: what a person would remove who believes an answer is removed from a picture of the disk.

Each ask_NAME puts a question, and takes away what its answer calls safe: every content must be left at a place that
the manual lets one rely on.  Exit status 3, and what an answer counts as not judged, is never "safe".  How often an
answer let something go is counted, and after a scan of everything in a plain tree an answer may not be more careful
than it has to be either.
"""

import base64
import json
import os
from collections import defaultdict

from claims import Disagreement, holds
from picture import below, below_any, lasts

VALUED = ('-x', '--in', '--copies', '--keep', '--protect', '--only')
SETTLED = (0, 1)


def path_of(o, key='path'):
    b64 = o.get(key + '_b64')
    return os.fsdecode(base64.b64decode(b64)) if b64 else o[key]


class Words:
    """The words of a question: its operands, and what its options are."""

    def __init__(self, words):
        self.all, self.operands, self.flags, self.valued = list(words), [], set(), defaultdict(list)
        rest = iter(words[1:])
        for w in rest:
            if w in VALUED:
                self.valued[w].append(next(rest))
            elif w.startswith('-'):
                self.flags.add(w)
            else:
                self.operands.append(w)
        self.x, self.inside = self.valued['-x'], self.valued['--in']

    def name(self):
        """The kind of a question, for counting and for telling failures apart."""
        options = sorted((self.flags | {o for o, v in self.valued.items() if v}) - {'--json', '-r'})
        return ' '.join([self.all[0]] + options)


class Acted:
    """field has run(words, statuses), picture(), rows(), known(name), offline(path), exact."""

    def __init__(self, field):
        self.field = field
        self.counts, self.let_go = defaultdict(lambda: [0, 0]), False

    def ask(self, words):
        w = Words(words)
        self.let_go = False
        getattr(self, 'ask_' + w.all[0].replace('-', '_'))(w)
        self.count(w)

    def count(self, w):
        self.counts[w.name()][0] += 1
        self.counts[w.name()][1] += self.let_go

    def answer(self, w, statuses=(0, 1, 2, 3, 5)):
        """The document, or None where there is none."""
        status, out, err = self.field.run(w.all + ['--json'], statuses)
        if status not in (0, 1, 3):
            return None
        try:
            doc = json.loads(out)
        except ValueError as e:
            raise Disagreement('json', '%s: %s: %r' % (w.all, e, out[-300:]))
        holds(doc['exit'] == status, 'exit', w.all, status, doc['exit'])
        return doc

    def act(self, w, names, keeps=None, meant=(), away=lambda f: False, also=(), rely=None):
        """Remove these names together."""
        names = [n for n in names if n.size > 0]
        self.let_go = self.let_go or bool(names)
        f = self.field.picture().lost(names, lambda f, g: (rely or lasts)(f, g, meant) and self.field.known(g) and
                                      (keeps is None or keeps(g)), away, also)
        holds(f is None, w.name(), ' '.join(w.all), ': nothing keeps', f and repr(f.path), 'when', len(names), 'go')

    def each(self, w, names, links=False, **how):
        """Remove each by itself; unless links are enough, with all names of its inode."""
        for n in names:
            self.act(w, [n], also=() if links else self.field.picture().inode(n), **how)

    def listed(self, files):
        """The entries of what a document lists, for one path may stand for another."""
        names = self.field.picture().names
        return {names[p].entry for p in map(path_of, files) if p in names}

    def within(self, *tops):
        """Whether an entry lies there, by whatever path."""
        return lambda g: any(below_any(p, tops) for p in self.field.picture().paths(g))

    def excluded(self, w):
        """Whether an entry is left out, by whatever path."""
        return self.within(*w.x)

    def asked(self, w):
        """The names that a question is about: with operands all that is there, otherwise what the index has."""
        p = self.field.picture()
        return p.below(*w.operands) if w.operands else [n for n in p.below(p.top) if n.path in self.field.rows()]

    def all_known(self, tops):
        """Whether all there is below was scanned just now, in a plain tree."""
        p, (rows, dirs, _) = self.field.picture(), self.field.index()
        return self.field.exact and all(f in rows for f in p.names if below_any(f, tops)) and \
            all(d in dirs for d in p.dirs if below_any(d, tops))

    def not_too_careful(self, w, listed, names, keeps, meant=()):
        """In a plain tree that was just scanned what has a copy to rely on is not listed."""
        if not self.all_known(w.operands):
            return
        p = self.field.picture()
        for f in names:
            left = [g for g in p.by_sha[f.sha] if keeps(f, g) and lasts(f, g, meant) and self.field.known(g) and 'trash' not in g.kinds(meant)]
            holds(not left or f.entry not in listed, w.name() + ' careful', ' '.join(w.all), ':', f.path, 'has', left and left[0].path)

    # Is all of it elsewhere?

    def ask_contained(self, w):
        a, b = w.operands
        doc = self.answer(w)
        if doc is None:
            return
        inside, outside = self.within(b), self.within(a)
        names = [n for n in self.field.picture().below(a) if not (below(b, a) and inside(n))]
        if doc['exit'] == 0 or doc['exit'] == 1 and not doc['not_judged']:
            listed = self.listed(doc['files'])
            holds(doc['exit'] == 1 or not doc['files'], 'contained status', w.all, doc)
            self.act(w, [n for n in names if n.entry not in listed],
                     keeps=lambda g: inside(g) and (not below(a, b) or not outside(g)), meant=[b])
        if not below(a, b) and not below(b, a):
            holds(doc['exit'] != 3 or not self.all_known(w.operands), 'contained careful', w.all, doc)
            self.not_too_careful(w, self.listed(doc['files']), names, lambda f, g: below(g.path, b), [b])

    def ask_safe(self, w):
        a, where = w.operands[0], w.operands[1:]
        doc = self.answer(w)
        if doc is None:
            return
        inside, gone = self.within(*where), self.within(a)
        names = self.field.picture().below(a)
        if doc['exit'] == 0 or doc['exit'] == 1 and not doc['not_judged']:
            listed = self.listed(doc['files'])
            holds(doc['exit'] == 1 or not doc['files'], 'safe status', w.all, doc)
            self.act(w, [n for n in names if n.entry not in listed],
                     keeps=lambda g: not gone(g) and (not where or inside(g)), meant=where)
        holds(doc['exit'] != 3 or not self.all_known(w.operands), 'safe careful', w.all, doc)
        self.not_too_careful(w, self.listed(doc['files']), names, lambda f, g: not gone(g) and (not where or inside(g)), where)

    def ask_uniques(self, w):
        doc = self.answer(w)
        if doc is None or doc['exit'] != 0:
            holds(doc is None or not self.all_known(w.operands) or w.inside, 'uniques careful', w.all)
            return
        listed, names = self.listed(doc['files']), self.asked(w)
        excluded, inside = self.excluded(w), self.within(*w.inside)

        def keeps(g):
            return not excluded(g) and (not w.inside or inside(g))
        left = [n for n in names if n.entry not in listed]
        if w.x and w.x == w.operands:
            # What would be lost with the directory.
            self.act(w, left, keeps, w.inside)
        else:
            self.each(w, left, links=True, keeps=keeps, meant=w.inside)
        self.not_too_careful(w, listed, names, lambda f, g: g.entry != f.entry and keeps(g), w.inside)

    def ask_at_risk(self, w):
        doc = self.answer(w)
        if doc is None or doc['exit'] not in SETTLED or doc['not_judged']:
            return
        listed, names = self.listed(doc['files']), self.asked(w)
        excluded, inside = self.excluded(w), self.within(*w.inside)
        if w.inside and not w.operands:
            names = [n for n in names if not inside(n)]
        names = [n for n in names if not excluded(n)]

        def keeps_of(f):
            return lambda g: not excluded(g) and (not w.inside or inside(g)) and g.ino != f.ino and \
                ('--one-volume' not in w.flags or self.field.disk_of(g) != self.field.disk_of(f))
        for f in names:
            if f.entry not in listed:
                self.each(w, [f], keeps=keeps_of(f), meant=w.inside, away=lambda f: '--online' not in w.flags and self.elsewhere(f, w))
        if not w.flags & {'--one-volume'}:
            self.not_too_careful(w, listed, names, lambda f, g: keeps_of(f)(g), w.inside)

    def elsewhere(self, f, w):
        """Whether a disk that is not here, or a root that isn't, had a copy."""
        return any(r.sha == f.sha and self.field.offline(p) and r.kinds <= f.kinds() and not below_any(p, w.x) and
                   (not w.inside or below_any(p, w.inside)) for p, r in self.field.rows().items())

    def ask_redundant(self, w):
        doc = self.answer(w)
        if doc is None:
            return
        going = [path_of(o) for o in doc['trees'] if o['state'] == 'redundant']
        if doc['exit'] == 0 and w.operands:
            # Each of them can go, all of them together.
            going += w.operands
        excluded, inside = self.excluded(w), self.within(*w.inside)
        p = self.field.picture()
        names = p.below(*going) if going else []

        def linked(f):
            # Wherever the link lies that no scan has met, also where something is mounted over it.
            same = [g for g in p.by_sha[f.sha] if not below_any(g.path, w.x)]
            return any(g.entry not in gone or g.nlink > len({h.entry for h in p.inode(g)}) for g in same)
        gone = p.entries(names)
        outside = '--outside-links' in w.flags and not w.inside
        self.act(w, names, keeps=lambda g: not excluded(g) and (not w.inside or inside(g)), meant=w.inside, away=lambda f: outside and linked(f))

    # What has a copy.

    def dups(self, w, files):
        excluded, inside = self.excluded(w), self.within(*w.inside)
        names = self.field.picture().names
        found = [names[p] for p in map(path_of, files) if p in names]
        # A tag that no scan has met is seen for a file that none has met either.
        found = [f for f in found if self.field.known(f) or not self.field.new_tag(f.path)]
        self.each(w, found, keeps=lambda g: not excluded(g) and (not w.inside or inside(g)), meant=w.inside,
                  away=lambda f: self.field.offline(f.path))

    def ask_dups(self, w):
        doc = self.answer(w)
        if doc is None:
            return
        self.dups(w, doc['files'])
        if self.all_known(w.operands) and not w.inside:
            listed, p = self.listed(doc['files']), self.field.picture()
            for f in self.asked(w):
                copies = [g for g in p.by_sha[f.sha] if g.ino != f.ino and lasts(f, g) and not below_any(g.path, w.x) and
                          self.field.known(g) and 'trash' not in g.kinds()]
                holds(not copies or f.entry in listed, 'dups careful', w.all, ':', f.path, 'has', copies and copies[0].path)

    def ask_file(self, w):
        doc = self.answer(w)
        if doc is None:
            return
        self.dups(w, [o for o in doc['files'] if o['state'] == 'dup'])
        if w.all[0] == 'file' and doc['exit'] == 0:
            holds(all(o['state'] == 'dup' for o in doc['files']), 'file status', w.all, doc)

    ask_ls = ask_file

    # Sets and pairs.

    def ask_report(self, w):
        doc = self.answer(w)
        if doc is None:
            return
        names, excluded = self.field.picture().names, self.excluded(w)
        if '--copies' in w.valued and w.valued['--copies']:
            going = [names[path_of(m)] for s in doc['sets'] for m in s['members'] if m.get('choice') == 'goes' and path_of(m) in names]
            self.act(w, going, keeps=lambda g: not excluded(g))
            return
        for s in doc['sets']:
            copies = [(names[path_of(m)], m.get('why')) for m in s['members'] if m['kind'] in ('copy', 'link') and path_of(m) in names]
            for stays, why in copies:
                # One that may go, which is said, is no copy of others.
                rest = [n for n, _ in copies if n.ino != stays.ino and why is None]
                self.act(w, rest, keeps=lambda g: g.ino == stays.ino)

    def ask_compare(self, w):
        doc = self.answer(w)
        if doc is None or doc['exit'] not in SETTLED or doc['not_judged']:
            return
        (a, b), p = w.operands, self.field.picture()
        for one, other, side in ((a, b, 'left'), (b, a, 'right')):
            t = doc['totals'][side]
            if t['missing']['files'] or t['unknown']['files'] or doc['totals']['left']['unknown']['files'] or \
                    doc['totals']['right']['unknown']['files']:
                continue
            inside, own = self.within(other), self.within(one)
            names = [n for n in p.below(one) if not (below(other, one) and inside(n))]
            self.act(w, names, keeps=lambda g: inside(g) and (not below(one, other) or not own(g)), meant=[other])

    def ask_similar(self, w):
        doc = self.answer(w)
        if doc is None or doc['exit'] != 0:
            return
        for o in doc['similar']:
            sides = [(o['left'], o['right']), (o['right'], o['left'])]
            for gone, stays in sides:
                if stays.get('why') not in (None, gone.get('why')):
                    continue
                if o['kind'] in ('twins', 'same') or o['kind'] == 'contained' and gone['share'] == 100 > stays['share']:
                    self.pair(w, path_of(gone), path_of(stays))
            # Behind the further twins of a group no reason stands.
            for twin in map(path_of, o.get('twins', [])):
                self.pair(w, path_of(o['left']), twin, alike=True)
                self.pair(w, twin, path_of(o['left']), alike=True)

    def pair(self, w, gone, stays, alike=False):
        """One goes, the other stays; alike: whatever may become of it."""
        # Trashes that were not named are not compared.
        p = self.field.picture()
        names = [n for n in p.below(gone) if 'trash' not in n.kinds([gone])]

        def rely(f, g, meant):
            # The reason stands behind a directory, not behind parts of it.
            return alike or {kind for kind, d in g.reasons if not below(d, stays)} <= f.kinds()
        self.act(w, names, keeps=self.within(stays), rely=rely)

    # What is about to go.

    def ask_marks(self, w):
        doc = self.answer(w)
        if doc is None:
            return
        names = self.field.picture().names
        self.act(w, [names[path_of(m)] for m in doc['marks']
                     if m['mark'] == 'drop' and m['state'] == 'effective' and path_of(m) in names])

    def ask_rm(self, w):
        """A plan: the keepers that it names are there and keep what goes."""
        doc = self.answer(w)
        if doc is None:
            return
        names, excluded, inside = self.field.picture().names, self.excluded(w), self.within(*w.inside)
        going = [(o, names[path_of(o)]) for o in doc['files'] if o['outcome'] == 'planned' and path_of(o) in names]
        self.act(w, [n for _, n in going], keeps=lambda g: not excluded(g) and (not w.inside or inside(g)), meant=w.inside)
        gone = self.field.picture().entries([n for _, n in going])
        for o, n in going:
            for k in map(path_of, o['keepers']):
                holds(k in names and names[k].entry not in gone and names[k].sha == n.sha and lasts(n, names[k], w.inside),
                      'rm keeper', w.all, ':', k, 'of', n.path)

    def removed(self, words, before):
        """What an act has removed, beside the picture of before: names with contents that are left now."""
        w, now = Words(words), self.field.picture()
        gone = [n for n in before.below(before.top) if n.path not in now.names or now.names[n.path].ino != n.ino]
        gone = [n for n in gone if not n.path.endswith('.trashinfo')]
        self.let_go = bool(gone)
        self.count(w)
        for f in gone:
            # undo brings things back to where they were, whatever that is.
            left = [g for g in now.by_sha.get(f.sha, ()) if w.all[0] == 'undo' or lasts(f, g, w.inside)]
            holds(left, w.name(), ' '.join(w.all), ': nothing keeps', f.path)

    # What went, and what would.

    def ask_diff(self, w):
        doc = self.answer(w)
        if doc is None or doc['exit'] not in SETTLED or self.field.scanned is None:
            return
        before, after = self.field.scanned
        lost = {before[p].sha for p in [path_of(c, 'before') for c in doc['changes'] if c['class'] == 'lost'] if p in before}
        # What was moved into a cache is moved.
        moved = [path_of(c, 'before') for c in doc['changes'] if c['class'] == 'moved']
        self.let_go = bool(before)
        for p, r in before.items():
            there = after.get(p)
            if r.sha is None or r.size == 0 or there is not None and there.sha == r.sha or r.sha in lost or below_any(p, moved):
                continue
            # A directory that is a cache by now counts as one.
            own = r.kinds | {kind for kind, _ in self.field.places().reasons(os.path.dirname(p))}
            # What was never read is known by its inode, size and time alone.
            left = [q for q, s in after.items() if s.sha is None and s.size == r.size or s.sha == r.sha and
                    (s.kinds <= own or 'trash' in own or s.ino == r.ino) or
                    r.hash is None and (s.ino, s.signature[:3]) == (r.ino, r.signature[:3])]
            holds(left, 'diff lost', w.all, ':', repr(p), 'had what no file has, and is not called lost')

    def ask_volumes(self, w):
        doc = self.answer(w)
        rows = self.field.rows()
        if doc is None or doc['exit'] != 0 or self.field.viewed or any(r.sha is None for r in rows.values()):
            return
        memory = {self.field.volume_of(path_of(v)) for v in doc['volumes'] if v['memory']}

        def disk(volume):
            return volume if volume in memory or volume in self.field.own else None
        holders = defaultdict(list)
        for r in rows.values():
            holders[r.sha].append((disk(r.volume), r.kinds | ({'memory'} if r.volume in memory else set())))
        self.let_go = True
        for v in doc['volumes']:
            number, alone = self.field.volume_of(path_of(v)), 0
            for r in rows.values():
                kinds = r.kinds | ({'memory'} if r.volume in memory else set())
                alone += r.volume == number and r.size > 0 and not any(o != disk(number) and k <= kinds for o, k in holders[r.sha])
            holds(v['only_files'] >= alone, 'volumes', path_of(v), 'holds', alone, 'files alone, not', v['only_files'])
            holds(v['only_files'] <= alone or memory or not self.field.exact, 'volumes careful', path_of(v), 'holds', alone, 'files alone, not', v['only_files'])
