# SPDX-License-Identifier: MIT
"""A picture of the disk: every name of a regular file, its content, and why it may go by itself; what is left when names go.

The reasons are those of STATES in twindex-rules(7), by the words there.  An entry is what a directory has: two paths
that lead through a bind mount are one entry, and go together.  What an overlay shows is a view of an entry.
"""

import hashlib
import os
import re
import stat

# What --in, or B of contained, may mean: that a copy lies there is what was asked for.
NAMEABLE = ('trash', 'cache', 'snapshot')


def below(path, top):
    return path == top or path.startswith(top.rstrip('/') + '/')


def below_any(path, tops):
    return any(below(path, t) for t in tops)


class Name:
    """A path to a regular file."""

    __slots__ = ('path', 'entry', 'ino', 'size', 'nlink', 'sha', 'signature', 'reasons', 'view')

    def __init__(self, path, entry, st, sha, reasons, view):
        self.path, self.entry, self.sha, self.reasons, self.view = path, entry, sha, reasons, view
        self.ino, self.size, self.nlink, self.signature = (st.st_dev, st.st_ino), st.st_size, st.st_nlink, signature(st)

    def kinds(self, meant=()):
        """Why it may go by itself, but for places that were named, or that hold what was."""
        named = {(kind, d) for kind, d in self.reasons if kind in NAMEABLE and any(below(m, d) for m in meant)}
        # All below a cache is that cache.
        return {kind for kind, d in self.reasons if not any(kind == k and below(d, n) for k, n in named)}


def signature(st):
    return st.st_ino, st.st_size, st.st_mtime_ns, st.st_ctime_ns


def lasts(f, g, meant=()):
    """Whether f may rely on g: nothing takes g away that would leave f."""
    return g.kinds(meant) <= f.kinds()


class Places:
    """Why what lies in a directory may go by itself: pairs of a kind and the directory that is the reason."""

    def __init__(self, temporary, memory, tagged):
        self.temporary, self.memory, self.tagged, self.known = temporary, memory, tagged, {'/': frozenset()}

    def reasons(self, d):
        """Of what lies in directory d."""
        if d not in self.known:
            self.known[d] = self.reasons(os.path.dirname(d)) | self.own(d)
        return self.known[d]

    def own(self, d):
        found, name, up = set(), os.path.basename(d), os.path.dirname(d)
        if name == '.cache' or d in self.tagged:
            found.add(('cache', d))
        if name == 'files' and re.search(r'/(Trash|\.Trash[-/][0-9]+)$', up):
            # The trash itself is what one names; what it holds besides is no trash.
            found.add(('trash', up))
        if name == '.snapshots' or d.endswith('/.zfs/snapshot') or d.endswith('/timeshift/snapshots'):
            found.add(('snapshot', d))
        found |= {('temporary', d)} if d in self.temporary else set()
        found |= {('memory', d)} if d in self.memory else set()
        return frozenset(found)


class Picture:
    """All names below top but for those aside.  overlays: where each is mounted, to its upper directory."""

    def __init__(self, top, aside, places, overlays):
        self.names, self.dirs, self.by_entry, self.by_sha, self.by_ino = {}, {}, {}, {}, {}
        self.top, self.overlays, self.read = top, overlays, {}
        for d, subs, files in os.walk(top):
            subs[:] = [s for s in subs if d != top or s not in aside]
            self.dirs[d] = st = os.lstat(d)
            overlay = next((o for o in overlays if below(d, o)), None)
            for n in files:
                self.look(os.path.join(d, n), st, places.reasons(d), overlay)

    def look(self, path, parent, reasons, overlay):
        try:
            st = os.lstat(path)
            if not stat.S_ISREG(st.st_mode):
                return
            key = (st.st_dev, st.st_ino)
            if key not in self.read or overlay:
                with open(path, 'rb') as f:
                    self.read[key] = hashlib.sha256(f.read()).digest()
        except OSError:
            # What an overlay makes of a layer that was changed below it.
            if overlay is None:
                raise
            return
        entry = (parent.st_dev, parent.st_ino, os.path.basename(path))
        n = self.names[path] = Name(path, entry, st, self.read[key], reasons, overlay)
        for index, k in ((self.by_entry, entry), (self.by_sha, n.sha), (self.by_ino, n.ino)):
            index.setdefault(k, []).append(n)

    def below(self, *tops):
        """Names that hold something."""
        return [n for n in self.names.values() if n.size > 0 and below_any(n.path, tops)]

    def entries(self, names):
        """What a removal of these names takes: what an overlay shows of its upper directory goes there, too."""
        gone = {n.entry for n in names}
        for n in names:
            for o, upper in self.overlays.items():
                shown = self.names.get(upper + n.path[len(o):]) if below(n.path, o) else None
                gone |= {shown.entry} if shown is not None else set()
        return gone

    def lost(self, names, keeps, away=lambda f: False, also=()):
        """
        The first of these names whose content is nowhere when all of them, and those also, are removed; None if there is none.
        keeps(f, g) says whether f may rely on a name that stays, away(f) whether something that isn't here may be.
        """
        gone = self.entries(list(names) + list(also))
        for f in names:
            left = [g for g in self.by_sha[f.sha] if g.entry not in gone and g.view in (None, f.view)]
            if not any(keeps(h, g) for g in left for h in self.by_entry[f.entry]) and not away(f):
                return f
        return None

    def inode(self, f):
        """All names of the file."""
        return self.by_ino[f.ino]

    def paths(self, n):
        """All paths that lead to this entry."""
        return [g.path for g in self.by_entry[n.entry]]
