# SPDX-License-Identifier: MIT
"""What must hold of every answer: each ask_NAME puts a question to the program and judges what it says.

A claim that is always made: nothing false is said, nothing is said twice, sums
add up, and exit status 0 means that all was judged.  After a scan of all roots
(View.judged is everything then) the answers are those of the disk, exactly.
"""

import csv
import io
import json
import os
import re

from truth import below, below_any, fleeting


class Disagreement(Exception):
    """kind names the claim, for two failures to be told apart; the rest is for people."""

    def __init__(self, kind, text):
        super().__init__('%s: %s' % (kind, text))
        self.kind = kind


def holds(truth, kind, *text):
    if not truth:
        raise Disagreement(kind, ' '.join(str(t) for t in text))


def options_of(words):
    """What -x, -H and -I among the words mean to the states."""
    x = [words[i + 1] for i, w in enumerate(words) if w == '-x']
    return dict(x=x, links_count='-H' in words, links_are_unique='-I' in words)


class Claims:
    """run(words, statuses) gives (status, stdout, stderr); view() the disk and the index of now; judged(path)
    whether scans have proven what the index says of a file; exact() whether that is everything there is."""

    def __init__(self, run, view, judged, exact):
        self.run, self.view, self.judged, self.exact = run, view, judged, exact

    def json(self, words, statuses):
        status, out, err = self.run(words + ['--json'], statuses)
        if status in (2, 5):
            return status, None, err
        try:
            return status, json.loads(out), err
        except ValueError as e:
            raise Disagreement('json', '%s: %s: %r' % (words, e, out[-300:]))

    # Members: whatever lists them, a copy is a copy, a link is a link, and both are there.

    def members(self, what, path, members, v, x, links_count):
        seen, f = {path}, v.disk.files.get(path)
        row = v.index.rows.get(path)
        holds(f is not None or row is not None, what + ' nowhere', path)
        content = f.content if f is not None and path in v.fresh or row is None else v.content_of(row)
        ino = f.ino if f is not None else row.ino if row is not None else None
        for m in members:
            p, kind = m['path'], m['kind']
            holds(p not in seen, what + ' path twice', path, 'has', p)
            seen.add(p)
            if kind not in ('copy', 'link'):
                if kind == 'gone':
                    holds(p not in v.disk.files, what + ' false gone', p)
                continue
            g = v.fresh.get(p)
            holds(g is not None, what + ' false ' + kind, p, 'is not there as it was, named with', path)
            same = g.ino == ino
            holds(same or p not in v.disk.blind or v.index.rows[p].hash is not None, what + ' false ' + kind, p,
                  'was never read, named with', path)
            holds(not below_any(p, x), what + ' excluded', p)
            holds(same or g.content == content or content is None, what + ' false ' + kind, p,
                  'is another content than', path)
            holds(same == (kind == 'link') or ino is None,
                  what + ' link and copy', p, 'is called', kind, 'of', path)

    def state(self, what, o, v, x=(), links_count=False, links_are_unique=False):
        """One file of a listing."""
        path, state, why = o['path'], o['state'], o.get('why') or ''
        f, row = v.disk.files.get(path), v.index.rows.get(path)
        # Of what is away the reason may be told that it has no copy to rely on.
        away = 'offline' in why or f is None and 'in a cache' in why
        if 'members' in o:
            self.members(what, path, o['members'], v, x, links_count)
        if f is None and not away:
            holds(state in ('gone', 'skipped', 'unknown', 'unreadable') or
                  state == 'changed' and os.path.lexists(path), what + ' not there', path, 'is', state, why)
            holds(state != 'gone' or path not in v.disk.dirs or row is not None, what + ' gone', path)
            return
        if f is None:
            # Offline: as of the last scan, but a copy is one of another inode.  One that was never read
            # has, where names count, the names of its inode.
            content = v.content_of(row) if row is not None else None
            if state == 'dup' and content is not None:
                holds([r for r in v.index.rows.values() if r is not row and
                       (v.content_of(r) == content and (r.ino != row.ino or links_count) or
                        links_count and row.hash is None and r.ino == row.ino)],
                      what + ' false dup', path, 'is offline, and no other inode has its content')
            return
        if state == 'gone':
            holds(False, what + ' false gone', path, 'is there', why)
        if path in v.disk.blind and state in ('unreadable', 'changed', 'unknown', 'skipped'):
            return
        if row is not None and away and v.is_away(row):
            # Another file is where an unmounted one was.
            return
        if row is not None and path not in v.fresh:
            # It was scanned and has changed: nothing but a look at it now could tell more.
            holds(state in ('changed', 'unreadable', 'unknown', 'skipped') or what == 'file',
                  what + ' not seen changed', path, 'is', state, why)
            if what != 'file' or state not in ('dup', 'unique', 'linked', 'empty'):
                return
        if row is None:
            holds(state in ('skipped', 'unknown', 'unreadable') or what == 'file',
                  what + ' not indexed', path, 'is', state, why)
            if state == 'skipped':
                holds(not v.index.takes(path, f.size), what + ' false skipped', path, why)
            if state not in ('dup', 'unique', 'linked', 'empty'):
                holds(not self.exact() or not v.index.takes(path, f.size),
                      what + ' unknown after a scan', path, state, why)
                return
        copies, links = v.others(path, f, x)
        if state == 'empty':
            holds(f.size == 0, what + ' false empty', path)
        elif state == 'dup':
            holds(copies or links_count and links, what + ' false dup', path, 'has no copy')
            if 'members' in o:
                kinds = [m['kind'] for m in o['members']]
                holds('copy' in kinds or links_count and 'link' in kinds, what + ' dup without copy', path)
            n = len(copies) + len(links) if links_count else len({v.disk.files[q].ino for q in copies})
            holds(o['copies'] <= n and (o['copies'] == n or not self.judged(path)), what + ' number of copies',
                  path, o['copies'], 'not', n)
        elif state == 'unique':
            known = [q for q in copies if v.index.rows[q].hash is not None or self.judged(q)]
            holds(not known, what + ' false unique', path, 'has the copies', copies)
            holds(not links or links_are_unique, what + ' false unique', path, 'has the links', links)
        elif state == 'linked':
            # One that cannot be looked at is still a link of the index, and told as the reason.
            hidden = [q for q, r in v.index.rows.items() if q != path and f.nlink > 1 and r.ino == f.ino and below_any(q, v.disk.blind)]
            lost = [q for q, r in v.index.rows.items() if q != path and f.nlink > 1 and r.ino[1] == f.ino[1] and q not in v.disk.files]
            holds(links or hidden and ('unreadable' in why or away) or lost and 'offline' in why, what + ' false linked', path, 'has no link')
            known = [q for q in copies if v.index.rows[q].hash is not None or self.judged(q)]
            holds(not known, what + ' false linked', path, 'has the copies', copies)
        elif self.judged(path) and path in v.fresh and f.size not in v.stale_sizes:
            holds(False, what + ' not judged', path, 'is', state, why)

    def listing(self, words, statuses):
        """ls, dups, uniques; every file once."""
        status, doc, err = self.json(words, statuses)
        v = self.view()
        if doc is None:
            return status, None, v, err
        seen = []
        for o in doc['files']:
            this = (o['path'], o['state'] in ('gone', 'offline'))
            # What can't be looked at may be a file where the index has a directory.
            allowed = o['state'] == 'unreadable' and o['path'] in v.index.dirs
            holds(seen.count(this) <= allowed, words[0] + ' path twice', o['path'])
            seen.append(this)
            self.state(words[0], o, v, **options_of(words))
        return status, doc['files'], v, err

    @staticmethod
    def tops(words):
        found, skip = [], False
        for w in words[1:]:
            if not skip and not w.startswith('-'):
                found.append(w)
            skip = w in ('-x', '-t', '--min-size', '--depth')
        return found

    def ask_ls(self, words):
        status, files, v, _ = self.listing(words, (0, 2, 3))
        if files is None:
            return
        tops = self.tops(words)
        listed = {o['path'] for o in files}
        for p in v.disk.files:
            # Above roots only what they have is listed.
            if any(below(p, t) and v.index.takes(t) for t in tops) and p not in listed:
                parts = [q for q in listed if below(p, q)]
                holds(parts or any(below(p, d) for d in v.disk.blind), 'ls missing', p)
        for p in v.index.rows:
            holds(not below_any(p, tops) or p in listed, 'ls missing row', p)
        self.as_text(words, [(o['state'], o['path']) for o in files])

    def ask_dups(self, words):
        status, files, v, _ = self.listing(words, (0, 2, 3))
        if files is None:
            return
        o = options_of(words)
        listed = {f['path'] for f in files}
        if status != 0:
            return
        for p, f in v.fresh.items():
            if below_any(p, self.tops(words)) and p not in listed and f.size > 0:
                holds(v.state(p, **o) != 'dup', 'dups missing', p, 'status', status)
        self.as_text(words, [(None, f['path']) for f in files])

    def ask_uniques(self, words):
        """With status 0 every file that is not listed has its content elsewhere: people delete by this."""
        status, files, v, err = self.listing(words, (0, 2, 3))
        if files is None:
            return
        o = options_of(words)
        x, tops = o['x'], self.tops(words)
        listed = {f['path'] for f in files}
        for p, f in v.disk.files.items():
            if status != 0 or not below_any(p, tops) or p in listed or f.size == 0:
                continue
            elsewhere = [q for q, g in v.fresh.items() if q != p and g.content == f.content and not below_any(q, x) and
                         (fleeting(p) or not fleeting(q))]
            holds(elsewhere, 'uniques silent', p, 'is not listed, has no other name, status 0, stderr %r' % err)
        self.as_text(words, [(None, f['path']) for f in files])

    def ask_file(self, words):
        status, doc, err = self.json(words, (0, 1, 2, 3))
        v = self.view()
        if doc is None:
            return
        for o in doc['files']:
            self.state('file', o, v, **options_of(words))
        tops = self.tops(words)
        states = {o['state'] for o in doc['files']}
        if status == 0:
            holds(states <= {'dup'}, 'file status', status, states)
            listed = {o['path'] for o in doc['files']}
            holds(all(p in listed or p in v.disk.dirs for p in tops), 'file missing', tops)
        elif status == 1:
            holds(states != {'dup'}, 'file status', status, states)

    def ask_report(self, words):
        status, doc, err = self.json(words, (0, 2, 3))
        v = self.view()
        if doc is None:
            return
        o = options_of(words)
        x, links_count = o['x'], o['links_count']
        seen, sets, n_names = set(), set(), 0
        for s in doc['sets']:
            m = s['members']
            there = [n for n in m if n['kind'] in ('copy', 'link')]
            n_names += len(there)
            for n in m:
                holds(n['path'] not in seen, 'report path twice', n['path'])
                seen.add(n['path'])
            holds(len(there) > 1, 'report set of one', s)
            first = there[0]['path']
            holds(first in v.fresh and not below_any(first, x), 'report false copy', first)
            inodes, copies = set(), 0
            for n in there:
                p, f = n['path'], v.fresh.get(n['path'])
                holds(f is not None and not below_any(p, x), 'report false copy', p)
                holds(f.content == v.fresh[first].content, 'report false dup', p, 'and', first)
                holds(f.size == s['size'] and str(f.number) == str(n['inode']), 'report fields', p, n)
                holds((f.ino in inodes) == (n['kind'] == 'link'), 'report kinds', p, s)
                copies += links_count or n['kind'] == 'copy'
                inodes.add(f.ino)
            holds(copies == s['copies'] and copies > 1, 'report copies', s)
            # What has names outside of the index frees nothing.
            whole = [i for i in inodes if sum(r.ino == i for r in v.index.rows.values()) == v.nlink[i]]
            frees = (len(whole) - (len(whole) == len(inodes))) * s['size']
            holds(s['redundant'] == frees or not self.exact() or x or any(fleeting(n['path']) for n in m), 'report redundant', frees, s)
            sets.add(frozenset(n['path'] for n in there))
            for n in m:
                p = n['path']
                if n['kind'] == 'gone':
                    holds(p not in v.disk.files, 'report false gone', p)
        t = doc['totals']
        holds(t['sets'] == len(sets) and t['files'] == n_names, 'report totals', t, len(sets), n_names)
        holds(t['redundant'] == sum(s['redundant'] for s in doc['sets']), 'report totals', t)
        if status != 0:
            holds(not self.exact() or self.tops(words), 'report status after a scan of all', status, err)
        if status == 0 and '--min-size' not in words:
            self.report_whole(words, v, sets, o)
        self.report_as_text(words, doc)

    def report_whole(self, words, v, sets, o):
        tops = self.tops(words)
        wanted = v.sets(o['x'], o['links_count'])
        if tops:
            # A set counts if a member is below a path; of --across, below two of them.
            need = 2 if '--across' in words else 1
            wanted = {s for s in wanted if len([t for t in set(tops) if any(below(p, t) for p in s)]) >= need}
        # What lies in a cache is shown, or not.
        wanted, sets = ({s for s in some if not any(map(fleeting, s))} for some in (wanted, sets))
        for s in wanted - sets:
            stale = [p for p in s if v.index.rows[p].hash is None]
            known = [p for p in s if v.index.rows[p].size in v.stale_sizes]
            holds(known, 'report missing', sorted(s), 'unread', stale)
        if not v.stale and not v.disk.blind:
            holds(sets <= wanted, 'report too much', [sorted(s) for s in sets - wanted])

    # Other formats say the same.

    TEXT = re.compile(r'^ *(dup|unique|linked|empty|skipped|unreadable|changed|gone|unknown)  (/[^ ]*)')

    def as_text(self, words, wanted):
        form = sum(map(len, words)) % 3
        if form == 0:
            status, out, _ = self.run(words, (0, 2, 3))
            if wanted and wanted[0][0] is not None or words[0] == 'ls':
                got = [m.groups() for m in map(self.TEXT.match, out.splitlines()) if m]
            else:
                got = [(None, line.split(' (')[0].rstrip()) for line in out.splitlines() if line.startswith('/')]
        elif form == 1:
            status, out, _ = self.run(words + ['--format', 'csv'], (0, 2, 3))
            got = [(r['state'] if wanted and wanted[0][0] else None, r['path'])
                   for r in csv.DictReader(io.StringIO(out)) if r['kind'] == 'file']
        else:
            status, out, _ = self.run(words + ['--format', 'ndjson'], (0, 2, 3))
            got = [(o['state'] if wanted and wanted[0][0] else None, o['path'])
                   for o in map(json.loads, out.splitlines()) if o['type'] == 'file']
        holds(got == wanted, 'text is not json', words, ['text', 'csv', 'ndjson'][form],
              'only there', [g for g in got if g not in wanted], 'only json', [w for w in wanted if w not in got])

    def report_as_text(self, words, doc):
        form = sum(map(len, words)) % 3
        if form == 0:
            _, out, _ = self.run(words + ['--format', 'fdupes'], (0, 3))
            got = [s.split('\n') for s in out.split('\n\n') if s]
            kinds = ('copy', 'link') if '-H' in words else ('copy',)
            wanted = [[n['path'] for n in s['members'] if n['kind'] in kinds] for s in doc['sets']]
            # One name of each inode, whichever.
            holds([len(s) for s in got] == [len(s) for s in wanted], 'report text is not json', got, wanted)
        elif form == 1:
            _, out, _ = self.run(words + ['--format', 'csv'], (0, 3))
            got = [(r['kind'], r['path']) for r in csv.DictReader(io.StringIO(out))]
            wanted = [(n['kind'], n['path']) for s in doc['sets'] for n in s['members']]
            holds(got == wanted, 'report text is not json', got, wanted)
        else:
            _, out, _ = self.run(words, (0, 3))
            got = [line.split(' ')[2] for line in out.splitlines() if line.startswith('  ')]
            wanted = [n['path'] for s in doc['sets'] for n in s['members']]
            holds(got == wanted or any(n['kind'] not in ('copy', 'link') for s in doc['sets'] for n in s['members']),
                  'report text is not json', got, wanted)

    # Numbers of directories.

    @staticmethod
    def sums(v, top):
        """Names, bytes, bytes with another copy, bytes that could go, below top; by the rows of the index."""
        rows, places, inode_names = v.index.rows, {}, {}
        for p, r in rows.items():
            places.setdefault(v.fresh[p].content, {}).setdefault(r.ino, []).append(p)
        chosen = [p for p in rows if below(p, top)]
        sizes = {rows[p].ino: rows[p].size for p in chosen}
        duplicated = redundant = 0
        for content, inodes in places.items():
            mine = {i: n for i, n in inodes.items() if any(below(p, top) for p in n)}
            if len(inodes) < 2 or not mine:
                continue
            size = rows[next(iter(mine.values()))[0]].size
            duplicated += size * len(mine)
            # Only an inode all of whose names are here, also those that no scan met, frees what it holds.
            gone = [i for i, n in mine.items() if len([p for p in n if below(p, top)]) == v.nlink[i]]
            redundant += size * (len(gone) - (len(gone) == len(inodes)))
        return len(chosen), sum(sizes.values()), duplicated, redundant

    def ask_usage(self, words):
        status, doc, err = self.json(words, (0, 2, 3))
        v = self.view()
        if doc is None or not self.exact() or '-x' in words or any(map(fleeting, v.index.rows)):
            # Sums show copies in a cache, but promise nothing.
            return
        tops = self.tops(words)
        left_out = [p for p, f in v.disk.files.items() if below_any(p, tops) and not v.index.takes(p, f.size)]
        left_out += [d for d in v.disk.dirs if below_any(d, tops) and not v.index.takes(d)]
        holds(status == 0 or left_out, 'usage status', words, status, err)
        for o in [doc['total']] + [d for d in doc['dirs'] if d['kind'] == 'dir']:
            files, size, duplicated, redundant = self.sums(v, o['path'])
            got = (o['files'], o['bytes'], o['duplicated'])
            holds(got == (files, size, duplicated), 'usage sums', words, o, (files, size, duplicated))
            holds(o['redundant'] == redundant, 'usage redundant', words, o, redundant)
        holds(not tops or doc['total']['path'] == tops[0], 'usage total', doc['total'])

    def ask_where(self, words):
        status, doc, err = self.json(words, (0, 1, 2, 3))
        v = self.view()
        if doc is None:
            return
        name = words[1]
        got = [o['path'] for o in doc['found']]
        wanted = {p for p in list(v.index.rows) + list(v.index.dirs) if os.path.basename(p) == name}
        # A file may be where a root was.
        holds(all(got.count(p) <= (p in v.index.rows) + (p in v.index.dirs) for p in wanted), 'where path twice', got)
        # The index may have names above its roots, which are in no answer.
        holds(set(got) <= wanted and all(p in got for p in wanted if v.index.root_above(p)),
              'where', name, 'found', sorted(got), 'not', sorted(wanted))
        holds((status == 1) == (not got) or status in (2, 3), 'where status', status, got)

    def ask_marks(self, words):
        status, doc, err = self.json(words, (0, 3))
        v = self.view()
        if doc is None:
            return
        drop, t = {}, doc['totals']
        for m in doc['marks']:
            p, f = m['path'], v.disk.files.get(m['path'])
            if m['state'] != 'effective':
                continue
            holds(f is not None and p in v.fresh and f.size == m['size'], 'marks false effective', m)
            if m['mark'] == 'drop':
                drop[p] = f
        for p, f in drop.items():
            stays = [q for q, g in v.fresh.items() if g.content == f.content and q not in drop and (fleeting(p) or not fleeting(q))]
            holds(stays, 'marks would drop the last', p, 'no copy stays')
        dropped = {}
        for p, f in drop.items():
            dropped.setdefault(f.ino, []).append(p)
        frees = sum(v.disk.files[n[0]].size for i, n in dropped.items() if len(n) == v.disk.files[n[0]].nlink)
        holds(len(self.tops(words)) or t['frees'] == frees, 'marks frees', t, frees)
        count = {'drop': 0, 'keep': 0, 'stale': 0, 'offline': 0, 'last': 0}
        for m in doc['marks']:
            count[m['mark'] if m['state'] == 'effective' else m['state']] += 1
        holds(all(t[k] == n for k, n in count.items()), 'marks totals', t, count)
        return doc

    def ask_check(self, words):
        status, out, err = self.run(words, (0, 1))
        holds(status == 0, 'check', out, err)

    def ask_info(self, words):
        status, out, err = self.run(words, (0, 3))
        v = self.view()
        got = [line.split()[1] for line in out.splitlines() if line.startswith('root ')]
        holds(sorted(got) == sorted(r.path for r in v.index.roots), 'info roots', got)

    def ask(self, words):
        method = {'du': 'usage', 'waste': 'usage', 'tree': 'usage'}.get(words[0], words[0])
        getattr(self, 'ask_' + method)(words)
