# SPDX-License-Identifier: MIT
"""What twindex must know after what it was told, computed by reading everything and SHA-256."""

import base64
import hashlib
import json
import os
import sqlite3
import stat
import subprocess
from collections import defaultdict

from seeds import Disagreement


class Known:
    """A file as a scan met it; sure is False when the index may or may not have it so."""

    def __init__(self, sig, sha, sure=True):
        self.sig, self.sha, self.sure = sig, sha, sure


class Model:
    def __init__(self, program, db, roots, scan_options=(), hidden=True, trust_mtime=False):
        self.program, self.db = program, db
        self.scan_options = list(scan_options)
        self.hidden, self.trust_mtime = hidden, trust_mtime
        self.roots = list(roots)
        self.known = {}
        self.fresh = False       # the last that happened was a scan of everything
        self.note = lambda what, *paths: None

    # The program.

    def run(self, *args, want=(0,)):
        command = [self.program, b'--db', self.db] + [a if isinstance(a, bytes) else a.encode() for a in args]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=120)
        if done.returncode not in want:
            raise Disagreement('%r exited with %d: %r %r' % (args, done.returncode, done.stdout[-600:],
                                                             done.stderr[-1000:]))
        return done

    def sig(self, st):
        return (st.st_dev, st.st_ino, st.st_size, st.st_mtime_ns, 0 if self.trust_mtime else st.st_ctime_ns)

    def look(self, below):
        """The files below a directory that a scan of it takes: path to (stat, SHA-256 of the content)."""
        found, by_inode = {}, {}
        for d, subs, names in os.walk(below):
            if not self.hidden:
                subs[:] = [s for s in subs if not s.startswith(b'.')]
            for n in names:
                if n.startswith(b'.') and not self.hidden:
                    continue
                path = os.path.join(d, n)
                st = os.lstat(path)
                if not stat.S_ISREG(st.st_mode):
                    continue
                if st.st_ino not in by_inode:
                    with open(path, 'rb') as f:
                        by_inode[st.st_ino] = hashlib.sha256(f.read()).digest()
                found[path] = (st, by_inode[st.st_ino])
        return found

    @staticmethod
    def below(path, d):
        return path == d or path.startswith(d + b'/')

    def scan(self, *paths, options=(), want=(0,)):
        self.note('scan', *paths)
        # Options of its own would make a part of a root a root; without paths every root has its own.
        whole = paths and all(p in self.roots for p in paths)
        given = [o for o in self.scan_options if whole or not self.of_root(o)]
        args = [b'scan'] + [o.encode() for o in given + list(options)]
        # An empty directory where much was is taken for a missing mount.
        may_be_offline = any(not os.listdir(p) for p in paths)
        # So is a directory of the index in whose place there is another one, which a scan of a part does not look at.
        done = self.run(*args, *paths, want=(0, 3) if may_be_offline or (paths and not whole) else want)
        if done.returncode == 3 and not may_be_offline and b'not there, and may come back' not in done.stdout:
            raise Disagreement('%r exited with 3: %r %r' % (args, done.stdout, done.stderr[-1000:]))
        tops = paths or self.roots
        self.fresh = done.returncode == 0 and all(any(self.below(r, t) for t in tops) for r in self.roots)
        if done.returncode != 0:
            self.unsure(*tops)
            return done
        for p in [p for p in self.known if any(self.below(p, t) for t in tops)]:
            del self.known[p]
        for t in tops:
            for p, (st, sha) in self.look(t).items():
                self.known[p] = Known(self.sig(st), sha)
        self.forget_vanished()
        if not self.fresh:
            # A part that the index had no place for is scanned from further up.
            for p, (st, sha) in self.live()[1].items():
                self.known[p] = Known(self.sig(st), sha, False)
        return done

    @staticmethod
    def of_root(option):
        return option in ('--no-hidden', '--trust-mtime')

    def forget_vanished(self):
        """A directory that moved took its rows along, or not: what is known of its old place is not sure."""
        for p, k in self.known.items():
            if not os.path.lexists(p):
                k.sure = False

    def refresh(self, *paths):
        self.note('refresh', *paths)
        self.fresh = False
        self.run(b'refresh', b'-q', *self.window(), *paths)
        for p in list(self.known):
            if paths and not any(self.below(p, t) for t in paths):
                continue
            try:
                st = os.lstat(p)
            except OSError:
                # Its row went, or had moved with its directory.
                self.known[p].sure = False
                continue
            if not stat.S_ISREG(st.st_mode):
                self.known[p].sure = False
                continue
            with open(p, 'rb') as f:
                sha = hashlib.sha256(f.read()).digest()
            self.known[p] = Known(self.sig(st), sha, self.known[p].sure)

    def window(self):
        return [o for o in self.scan_options if o.startswith('--racy-window')]

    def forget(self, path):
        self.note('forget', path)
        self.fresh = False
        done = self.run(b'forget', path, want=(0, 2))
        for p in [p for p in self.known if self.below(p, path)]:
            del self.known[p]
        return done

    def unsure(self, *tops):
        """A scan of these tops was cut off: it may or may not have met each file."""
        self.fresh = False
        for t in tops:
            for p, (st, sha) in self.look(t).items():
                k = self.known.get(p)
                if k is None or k.sig != self.sig(st):
                    self.known[p] = Known(self.sig(st), sha, False)
        for k in self.known.values():
            k.sure = False

    # Comparison.

    def live(self):
        """Known files that are what they were: path to (stat, sha, sure), on disk now; and the rest on disk."""
        live, rest = {}, {}
        for root in self.roots:
            for p, (st, sha) in self.look(root).items():
                k = self.known.get(p)
                if k is not None and k.sig == self.sig(st):
                    live[p] = (st, sha, k.sure)
                else:
                    rest[p] = (st, sha)
        return live, rest

    @staticmethod
    def path_of(record):
        return base64.b64decode(record['path_b64']) if 'path_b64' in record else record['path'].encode()

    def check(self):
        self.run(b'check')

    def compare(self, exclude=None):
        live, rest = self.live()
        exact = not rest and all(sure for _, _, sure in live.values()) and \
            all(p in live for p in self.known)
        if exclude is not None:
            live = {p: v for p, v in live.items() if not self.below(p, exclude)}
        self.compare_sets(live, exact, exclude)
        if exclude is None:
            self.compare_states(live, rest, exact)
            if exact:
                self.compare_totals(live)

    @staticmethod
    def groups(live, sure_only=False):
        by_content = defaultdict(set)
        for st, sha, sure in live.values():
            if st.st_size > 0 and (sure or not sure_only):
                by_content[sha].add(st.st_ino)
        return {frozenset(s) for s in by_content.values() if len(s) > 1}

    def compare_sets(self, live, exact, exclude):
        args = [b'report', b'--format', b'json'] + ([b'-x', exclude] if exclude is not None else [])
        doc = json.loads(self.run(*args, want=(0,) if exact else (0, 3)).stdout)
        reported, content_of = set(), {}
        for s in doc['sets']:
            copies = []
            for m in s['members']:
                if m['kind'] not in ('copy', 'link'):
                    continue
                path = self.path_of(m)
                if path not in live:
                    raise Disagreement('report: %r is a %s, but it is not known so' % (path, m['kind']))
                st, sha, _ = live[path]
                # With --trust-mtime a link made since the scan is no change.
                if int(m['inode']) != st.st_ino or s['size'] != st.st_size or \
                        m['nlink'] != st.st_nlink and (exact or not self.trust_mtime):
                    raise Disagreement('report: inode, size or nlink of %r' % path)
                if m['kind'] == 'copy':
                    copies.append(st.st_ino)
                content_of.setdefault(s['hash'], sha)
                if content_of[s['hash']] != sha:
                    raise Disagreement('report: FALSE DUPLICATE %r in the set of %r' %
                                       (path, self.path_of(s['members'][0])))
            if len(set(copies)) != len(copies) or len(copies) != s['copies'] or len(copies) < 2:
                raise Disagreement('report: copies are not distinct inodes: %r' % s)
            # An inode that has names which the set does not know frees nothing, and stays.
            names = [int(m['inode']) for m in s['members'] if m['kind'] in ('copy', 'link', 'gone', 'excluded')]
            held = [m for m in s['members'] if m['kind'] == 'copy' and m['nlink'] > names.count(int(m['inode']))]
            if s['redundant'] != (len(copies) - max(len(held), 1)) * s['size']:
                raise Disagreement('report: redundant bytes: %r' % s)
            reported.add(frozenset(copies))
        wanted = self.groups(live, sure_only=True)
        if exact:
            if reported != wanted:
                raise Disagreement('report: missing %s, too many %s' %
                                   (self.name_sets(live, wanted - reported), self.name_sets(live, reported - wanted)))
            return
        for w in wanted:
            if not any(w <= r for r in reported):
                raise Disagreement('report: missing %s' % self.name_sets(live, {w}))

    @staticmethod
    def name_sets(live, sets):
        return [[p for p, v in sorted(live.items()) if v[0].st_ino in s] for s in sets]

    def compare_states(self, live, rest, exact):
        out = self.run(b'ls', b'--format', b'ndjson', *self.roots, want=(0,) if exact else (0, 3)).stdout
        states = {}
        for line in out.splitlines():
            record = json.loads(line)
            if 'state' not in record:
                continue
            path = self.path_of(record)
            # Nested roots are listed once each.  Where a directory took a file's place, both are shown.
            if path in states and states[path] != record['state'] and not os.path.isdir(path):
                raise Disagreement('ls: %r is %s and %s' % (path, states[path], record['state']))
            states[path] = record['state']
        by_content, stale = defaultdict(list), set()
        for p, (st, sha, sure) in live.items():
            by_content[sha].append((p, st.st_ino, sure))
        for p, k in self.known.items():
            if p not in live:
                stale.add(k.sha)
        stale_inodes = {k.sig[1] for p, k in self.known.items() if p not in live}
        for p, (st, sha, sure) in live.items():
            state = states.pop(p, None)
            others = [(i, s) for q, i, s in by_content[sha] if q != p]
            copies = [s for i, s in others if i != st.st_ino]
            links = [s for i, s in others if i == st.st_ino]
            allowed = set()
            if st.st_size == 0:
                allowed = {'empty'}
            elif any(copies):
                allowed = {'dup'}
            else:
                if copies:
                    allowed |= {'dup', 'unknown'}
                allowed.add('linked' if any(links) else 'unique')
                if links and not any(links):
                    allowed.add('linked')
                if sha in stale or st.st_ino in stale_inodes or not exact:
                    allowed |= {'unknown', 'unique'} if links else {'unknown'}
            if not sure:
                # None: of a directory that the index does not have only its own line is shown.
                allowed |= {'unknown', 'changed', None}
            if state not in allowed:
                raise Disagreement('ls: %r is %s, not %s; copies: %r' %
                                   (p, state, allowed, [q for q, _, _ in by_content[sha] if q != p]))
        for p, (st, sha) in rest.items():
            state = states.pop(p, None)
            if state not in (None, 'unknown', 'changed', 'gone'):
                raise Disagreement('ls: %r is %s, but nothing is known of it as it is now' % (p, state))
            if state is None and exact:
                raise Disagreement('ls: %r is missing' % p)
        for p, state in states.items():
            if state != 'gone' and (not os.path.lexists(p) or state not in ('skipped', 'unknown')):
                raise Disagreement('ls: %r is %s' % (p, state))
        if exact:
            self.compare_lists(live, by_content)

    def compare_lists(self, live, by_content):
        """dups and uniques are the files of ls with that state."""
        dups, uniques = set(), set()
        for p, (st, sha, _) in live.items():
            if st.st_size == 0:
                continue
            inodes = {i for _, i, _ in by_content[sha]}
            if len(inodes) > 1:
                dups.add(p)
            elif len(by_content[sha]) == 1:
                uniques.add(p)
        for command, wanted in ((b'dups', dups), (b'uniques', uniques)):
            # 3: what is hidden is not judged, nor is a new directory, even an empty one.
            whole = self.fresh and self.hidden
            got = set(self.run(command, b'-0', *self.roots, want=(0,) if whole else (0, 3)).stdout.split(b'\0')[:-1])
            if got != wanted:
                raise Disagreement('%s: missing %r, too many %r' %
                                   (command.decode(), sorted(wanted - got), sorted(got - wanted)))

    def compare_totals(self, live):
        """What the journal and the view of sets say; as indexed, like the model when everything is known."""
        groups, size = self.groups(live), {st.st_ino: st.st_size for st, _, _ in live.values()}
        wanted = (len(groups), sum((len(g) - 1) * size[next(iter(g))] for g in groups))
        db = sqlite3.connect('file:%s?mode=ro' % os.fsdecode(self.db), uri=True)
        try:
            view = db.execute('SELECT count(*), coalesce(sum(redundant), 0) FROM set_view').fetchone()
            scan = db.execute('SELECT sets, redundant FROM scan_view WHERE sets IS NOT NULL '
                              'ORDER BY scan_id DESC LIMIT 1').fetchone()
            files = db.execute('SELECT count(*) FROM file_view').fetchone()[0]
        finally:
            db.close()
        if view != wanted or (scan is not None and scan != wanted):
            raise Disagreement('totals are %r, set_view says %r, the journal %r' % (wanted, view, scan))
        if files != len(live):
            raise Disagreement('file_view has %d files instead of %d' % (files, len(live)))
