# SPDX-License-Identifier: MIT
"""Fleets of hosts made up by a seed, their exports, and what twindex-fleet must say of them.

fleet.py make SEED DIR FORMAT [HOST...]   write the exports of all hosts, or of these, below DIR; parquet needs duckdb; mixed
                                    is parquet, ndjson and csv in turn
fleet.py compare SEED DIR           read answers as JSON, files QUERY.GROUP.MIN_SIZE of DIR, and compare them with the
                                    model's; GROUP is 0 or 1
fleet.py sqlite SEED SQL_DIR        run every text unchanged in SQLite over both groups at once, and over each
fleet.py group N                    the hash_id of a group

The model is written from twindex-fleet(1), over the files of the hosts: it knows neither keys nor buckets.
"""
import csv
import json
import os
import random
import sqlite3
import sys
import tempfile

GROUPS = (-7411528734219023001, 6200417753218806523)
QUERIES = ("at_risk", "elsewhere_dirs", "elsewhere_hosts", "growth", "only_here", "sets", "sizes_elsewhere", "waste")
SHARE, CLONE = "nfs:server:/share /mnt/share", "ext4:c10ec10e"
# Paths that sort between a directory and what is below it, deep ones, and names that are no ASCII.
PLACES = ["/home", "/home/ann", "/home/ann/a", "/home/ann/a b", "/home/ann/a-b", "/home/ann/a/b", "/home/ann/a/b/c", "/home/ann/ab",
          "/home/Ünal", "/home/Ünal/x", "/home/日本", "/home/O'Hara, \"x\"", "/home/ann/a\\x0a", "/home/ann/.cache"]
COLUMNS = {
    "keys": "hash_hi hash_lo size hash_id host index_id volume generation inodes names lasting",
    "files": "hash_hi hash_lo size hash_id host index_id volume generation inode dir name name_raw mtime lasting",
    "sizes": "size files unread host index_id hash_id generation",
    "dirs": "dir parent files bytes duplicated redundant host index_id hash_id generation",
}


def lasts(d):
    """Whether a copy in a directory is one to rely on: caches are emptied."""
    return not d.endswith("/.cache")


class Host:
    """generations: {number: [(dir, name, size, hash or None, volume, inode)]}."""

    def __init__(self, name, index_id, hash_id):
        self.name, self.index_id, self.hash_id, self.generations = name, index_id, hash_id, {}

    def now(self):
        return self.generations[max(self.generations)]


def make_hosts(seed):
    r = random.Random(seed)
    tops = (0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff)

    def content():
        return (r.choice((1, 512, 4096, 4097, 70000, 3 << 30)), bytes([r.choice(tops)]) + r.randbytes(15))

    shared = [content() for _ in range(24)]
    # One hash with two sizes is two contents.
    shared.append((shared[0][0] + 1, shared[0][1]))
    on_share = [content() for _ in range(3)]
    cloned = [content() for _ in range(3)]
    hosts = []
    for n in range(26):
        # The last six have another secret, and nevertheless the same hashes: as bad as it can be.
        group = int(n >= 20)
        host = Host(f"h{n:02}", r.randrange(-1 << 63, 1 << 63), GROUPS[group])
        hosts.append(host)
        for generation in ((7,), (1, 3, 7), (3, 7), (3, 7))[n % 4]:
            host.generations[generation] = make_files(r, n, shared, content, on_share, cloned)
        if n in (6, 23):
            # A mirror of the host before: everything is elsewhere, and was read.
            for generation in host.generations:
                host.generations[generation] = [(d, name, size, h, f"ext4:{n}-m", i + 1) for i, (d, name, size, h, v, _)
                                                in enumerate(hosts[-2].now()) if v not in (SHARE, CLONE) and (h or not size)]
    return hosts


def make_files(r, n, shared, content, on_share, cloned):
    files, inode = [], 0
    volumes = [f"ext4:{n}-a", f"xfs:{n}-b"]
    own = [content() for _ in range(3)]
    # Two hosts are mirrored by the next: all that these have must be elsewhere.
    places = [p for p in PLACES if lasts(p) or n not in (5, 22)]
    for place in r.sample(places, r.randrange(4, len(places))):
        pool = shared if r.random() < 0.7 else shared + own
        for i in range(r.randrange(0, 4)):
            size, h = r.choice(pool)
            inode += 1
            volume = r.choice(volumes)
            files.append((place, f"f{i}", size, h, volume, inode))
            if r.random() < 0.2:
                # Another name of the inode, in any directory.
                files.append((r.choice(places), f"link{inode}", size, h, volume, inode))
        if r.random() < 0.3:
            inode += 1
            files.append((place, "empty", 0, None, volumes[0], inode))
        if r.random() < 0.08:
            inode += 1
            files.append((place, "unread", r.choice((512, 999, 12345)), None, volumes[0], inode))
    if n % 5 == 1:
        files += [(f"/mnt/share/{i}", f"s{i}", size, h, SHARE, i + 1) for i, (size, h) in enumerate(on_share)]
    if n == 10:
        # What a share has, and one host besides.
        files.append(("/home/own", "s0", *on_share[0], volumes[0], 1 << 40))
    if n in (2, 21):
        # A size that one host of each secret has.
        files.append(("/home/one", "unread", 31337, None, volumes[0], 1 << 41))
    if n in (8, 9, 22):
        files += [("/clone", f"c{i}", size, h, CLONE, i + 1) for i, (size, h) in enumerate(cloned)]
    return files


# Exports ----------------------------------------------------------------------

def halves(h):
    return (int.from_bytes(h[:8], "big", signed=True), int.from_bytes(h[8:], "big", signed=True)) if h else (None, None)


def parent_of(path):
    return None if path == "/" else os.path.dirname(path)


def ancestors(path):
    """A directory and all above it."""
    yield path
    while path != "/":
        path = os.path.dirname(path)
        yield path


def below(path, top):
    return path == top or path.startswith(top.rstrip("/") + "/")


def dir_sums(files):
    """For each directory: how many files are at and below it, and their bytes; an inode counts once."""
    sums = {}
    for d, _, size, _, volume, inode in files:
        for top in ancestors(d):
            sums.setdefault(top, {})[volume, inode] = size
    return {d: (len(inodes), sum(inodes.values())) for d, inodes in sums.items()}


def export_rows(host, generation):
    """{(kind, bucket or None): rows}."""
    files = host.generations[generation]
    who = {"hash_id": host.hash_id, "host": host.name, "index_id": host.index_id, "generation": generation}
    out, keys, sizes = {}, {}, {}
    for d, name, size, h, volume, inode in files:
        hi, lo = halves(h)
        bucket = f"{h[0]:02x}" if h else "none"
        out.setdefault(("files", bucket), []).append({**who, "hash_hi": hi, "hash_lo": lo, "size": size, "volume": volume, "inode": inode,
                                                      "dir": d, "name": name, "name_raw": None, "mtime": 1700000000 + inode, "lasting": int(lasts(d))})
        if h:
            keys.setdefault((h, size, volume), []).append((inode, lasts(d)))
        sizes.setdefault(size, {})[volume, inode] = h
    for (h, size, volume), inodes in sorted(keys.items()):
        hi, lo = halves(h)
        out.setdefault(("keys", f"{h[0]:02x}"), []).append({**who, "hash_hi": hi, "hash_lo": lo, "size": size, "volume": volume,
                                                            "inodes": len({i for i, _ in inodes}), "names": len(inodes),
                                                            "lasting": len({i for i, is_so in inodes if is_so})})
    out["sizes", None] = [{**who, "size": size, "files": len(inodes), "unread": sum(h is None for h in inodes.values())}
                          for size, inodes in sorted(sizes.items())]
    out["dirs", None] = [{**who, "dir": d, "parent": parent_of(d), "files": n, "bytes": b, "duplicated": 0, "redundant": 0}
                         for d, (n, b) in sorted(dir_sums(files).items())]
    return out


def write_rows(path, kind, rows, form, db):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    names = COLUMNS[kind].split()
    if form == "ndjson":
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(json.dumps({name: row[name] for name in names}) + "\n" for row in rows)
    elif form == "csv":
        with open(path, "w", encoding="utf-8", newline="") as f:
            writer = csv.writer(f, lineterminator="\r\n")
            writer.writerow(names)
            writer.writerows([row[name] for name in names] for row in rows)
    else:
        types = {"host": "VARCHAR", "volume": "VARCHAR", "dir": "VARCHAR", "parent": "VARCHAR", "name": "VARCHAR",
                 "name_raw": "BLOB", "lasting": "INTEGER", "inodes": "INTEGER", "names": "INTEGER"}
        columns = ", ".join(f"{name}: '{types.get(name, 'BIGINT')}'" for name in names)
        quoted = path.replace("'", "''")
        # From text, which is read at once: parameters are bound one by one.
        with tempfile.NamedTemporaryFile(prefix="twindex-fleet.") as text:
            write_rows(text.name, kind, rows, "ndjson", db)
            db.execute(f"COPY (FROM read_json('{text.name}', format = 'newline_delimited', columns = {{{columns}}})) TO '{quoted}' (FORMAT parquet)")


def write_export(top, host, generation, form, db):
    at = os.path.join(top, f"{host.name}-{generation}")
    kinds = {kind: {"rows": 0, "files": 0, "bytes": 0} for kind in COLUMNS}
    for (kind, bucket), rows in export_rows(host, generation).items():
        path = os.path.join(at, f"kind={kind}", *[f"b={bucket}"] if bucket else [], f"host={host.name}-{generation}.{form}")
        write_rows(path, kind, rows, form, db)
        kinds[kind]["rows"] += len(rows)
        kinds[kind]["files"] += 1
        kinds[kind]["bytes"] += os.path.getsize(path)
    with open(os.path.join(at, "manifest.json"), "w", encoding="utf-8") as f:
        json.dump({"twindex": "0.1.0", "host": host.name, "index_id": host.index_id, "generation": generation, "hash_id": host.hash_id,
                   "made": 1795000000, "format": form, "finished_scan": True, "left_out": False, "kinds": kinds}, f)


def make(seed, top, form, *names):
    db = None
    if form in ("parquet", "mixed"):
        import duckdb
        db = duckdb.connect(config={"threads": 1})
    for n, host in enumerate(make_hosts(seed)):
        for generation in host.generations if host.name in names or not names else ():
            write_export(top, host, generation, ("parquet", "ndjson", "csv")[n % 3] if form == "mixed" else form, db)


# The model --------------------------------------------------------------------

class Model:
    """What must be answered of hosts of one secret, without the files smaller than least."""

    def __init__(self, hosts, least=0):
        self.hosts, self.least = hosts, least
        self.files = {h: self.large(h.now()) for h in hosts}
        # Of each content all inodes: (host, volume, inode) -> number of names.
        self.copies = {}
        # Those of these with a name to rely on.
        self.lasting = set()
        for host, files in self.files.items():
            for d, _, size, h, volume, inode in files:
                if h and lasts(d):
                    self.lasting.add((host, volume, inode))
                if h:
                    inodes = self.copies.setdefault((size, h), {})
                    inodes[host, volume, inode] = inodes.get((host, volume, inode), 0) + 1

    def large(self, files):
        return [f for f in files if f[2] >= self.least]

    def who(self, host):
        return {"host": host.name, "index_id": host.index_id, "hash_id": host.hash_id}

    def elsewhere(self, host, content):
        """Another host has it where it lasts, on a volume that no second host names for this content."""
        for other, volume, inode in self.copies[content]:
            if other is not host and (other, volume, inode) in self.lasting and {h for h, v, _ in self.copies[content] if v == volume} == {other}:
                return True
        return False

    def held(self, host):
        """The contents of a host, and their inodes there."""
        found = {}
        for content, inodes in self.copies.items():
            n = sum(h is host for h, _, _ in inodes)
            if n:
                found[content] = n
        return found

    def sets(self):
        for (size, h), inodes in self.copies.items():
            hosts = {host for host, _, _ in inodes}
            if len(hosts) < 2:
                continue
            volumes = {volume for _, volume, _ in inodes}
            here = {v: [[n for (o, w, _), n in inodes.items() if w == v and o is host] for host in hosts] for v in volumes}
            n = sum(max(len(one) for one in here[v]) for v in volumes)
            hi, lo = halves(h)
            yield {"hash_id": next(iter(hosts)).hash_id, "hash_hi": hi, "hash_lo": lo, "size": size, "hosts": len(hosts),
                   "volumes": len(volumes), "inodes": n, "names": sum(max(sum(one) for one in here[v]) for v in volumes),
                   "waste": size * (n - 1)}

    def only_here(self):
        for host in self.hosts:
            held = {c: n for c, n in self.held(host).items() if not self.elsewhere(host, c)}
            if held:
                yield {**self.who(host), "contents": len(held), "bytes": sum(c[0] * n for c, n in held.items())}

    def elsewhere_hosts(self):
        for host in self.hosts:
            held = self.held(host)
            unread = any(size and not h for _, _, size, h, _, _ in self.files[host])
            if self.files[host] and not unread and all(self.elsewhere(host, c) for c in held):
                yield {**self.who(host), "contents": len(held), "bytes": sum(c[0] * n for c, n in held.items())}

    def elsewhere_dirs(self):
        for host in self.hosts:
            bad = {d for d, _, size, h, _, _ in self.files[host] if size and not (h and self.elsewhere(host, (size, h)))}
            sums = dir_sums(host.now())
            good = {d for d in sums if not any(below(b, d) for b in bad)}
            for d in good:
                if sums[d][0] and parent_of(d) not in good:
                    yield {**self.who(host), "dir": d, "files": sums[d][0], "bytes": sums[d][1]}

    def waste(self):
        for host in self.hosts:
            held = self.held(host)
            across = [c for c in held if self.elsewhere(host, c)]
            if held:
                yield {**self.who(host), "contents": len(held), "bytes": sum(c[0] * n for c, n in held.items()),
                       "redundant_within": sum(c[0] * (n - 1) for c, n in held.items()), "contents_across": len(across),
                       "redundant_across": sum(c[0] for c in across)}

    def at_risk(self):
        sums = {}
        for content, inodes in self.copies.items():
            kept = [inode for inode in inodes if inode in self.lasting]
            for host, volume in {(host, volume) for host, volume, _ in inodes}:
                one_host = not self.elsewhere(host, content)
                one_volume = all(v == volume for _, v, _ in kept)
                if not one_host and not one_volume:
                    continue
                size = content[0] * sum(h is host and v == volume for h, v, _ in inodes)
                s = sums.setdefault((host, volume), [0, 0, 0, 0])
                for i, is_so in enumerate((one_host, one_volume)):
                    s[2 * i] += is_so
                    s[2 * i + 1] += size * is_so
        for (host, volume), s in sums.items():
            yield {**self.who(host), "volume": volume, "contents_one_host": s[0], "bytes_one_host": s[1],
                   "contents_one_volume": s[2], "bytes_one_volume": s[3]}

    def growth(self):
        for host in self.hosts:
            with_keys = [g for g in sorted(host.generations) if any(h for _, _, _, h, _, _ in self.large(host.generations[g]))]
            if len(with_keys) < 2:
                continue
            before, now = with_keys[-2:]
            contents, total = [], []
            for generation in (before, now):
                inodes = {(size, h, volume, inode) for _, _, size, h, volume, inode in self.large(host.generations[generation]) if h}
                contents.append({i[:2] for i in inodes})
                total.append(sum(i[0] for i in inodes))
            yield {**self.who(host), "earlier": before, "generation": now, "contents_before": len(contents[0]),
                   "contents_now": len(contents[1]), "contents_new": len(contents[1] - contents[0]),
                   "contents_gone": len(contents[0] - contents[1]), "bytes_before": total[0], "bytes_now": total[1],
                   "growth": total[1] - total[0]}

    def sizes_elsewhere(self):
        sizes = {}
        for host, files in self.files.items():
            for f in files:
                sizes.setdefault(f[2], set()).add(host)
        return [{"size": size} for size, hosts in sizes.items() if size and len(hosts) > 1]


# By which columns an answer is sorted; one that begins with - descending.
ORDER = {
    "sets": "-waste hash_id hash_hi hash_lo size", "only_here": "-bytes host index_id hash_id",
    "elsewhere_hosts": "-bytes host index_id hash_id", "elsewhere_dirs": "-bytes host index_id hash_id dir",
    "waste": "-redundant_across -redundant_within host index_id hash_id",
    "at_risk": "-bytes_one_volume -bytes_one_host host index_id hash_id volume",
    "growth": "-growth host index_id hash_id", "sizes_elsewhere": "size",
}


def expected(seed, query, groups, least=0):
    hosts = make_hosts(seed)
    rows = []
    for group in groups:
        rows += getattr(Model([h for h in hosts if h.hash_id == GROUPS[group]], least), query)()
    if query == "sizes_elsewhere":
        rows = [dict(r) for r in {tuple(r.items()) for r in rows}]
    return sorted(rows, key=lambda row: [-row[c[1:]] if c[0] == "-" else row[c] for c in ORDER[query].split()])


def same(what, wanted, found):
    """Print the first difference; whether there is none."""
    if not wanted:
        print(f"{what}: nothing is expected, so nothing is tried")
        return False
    for i in range(max(len(wanted), len(found))):
        if i >= len(wanted) or i >= len(found) or list(wanted[i].items()) != list(found[i].items()):
            print(f"{what}: row {i} of {len(found)}, {len(wanted)} are expected")
            print(" expected", wanted[i] if i < len(wanted) else None)
            print(" found   ", found[i] if i < len(found) else None)
            return False
    print(f"{what}: {len(found)} rows")
    return True


def in_sqlite(seed, sql_dir):
    ok = True
    for groups in ((0, 1), (0,), (1,)):
        db = sqlite3.connect(":memory:")
        db.row_factory = sqlite3.Row
        for view, kind in (("keys", "keys"), ("keys_all", "keys"), ("files", "files"), ("sizes", "sizes"), ("dirs", "dirs")):
            db.execute(f"CREATE TABLE {view} ({COLUMNS[kind].replace(' ', ', ')})")
            for host in make_hosts(seed):
                for generation in host.generations if host.hash_id in [GROUPS[g] for g in groups] else ():
                    if view == "keys_all" or generation == max(host.generations):
                        for (k, _), rows in export_rows(host, generation).items():
                            if k == kind:
                                names = COLUMNS[kind].split()
                                db.executemany(f"INSERT INTO {view} VALUES ({', '.join('?' for _ in names)})",
                                               [[row[name] for name in names] for row in rows])
        for query in QUERIES:
            with open(os.path.join(sql_dir, query + ".sql"), encoding="utf-8") as f:
                found = [dict(row) for row in db.execute(f.read())]
            ok = same(f"{query} of groups {groups}", expected(seed, query, groups), found) and ok
    return ok


def compare(seed, top):
    ok = True
    for name in sorted(os.listdir(top)):
        query, group, least = name.split(".")
        with open(os.path.join(top, name), encoding="utf-8") as f:
            ok = same(name, expected(seed, query, (int(group),), int(least)), json.load(f)) and ok
    return ok


def main(command, *words):
    if command == "make":
        make(int(words[0]), *words[1:])
    elif command == "group":
        print(GROUPS[int(words[0])])
    elif command == "sqlite":
        return in_sqlite(int(words[0]), words[1])
    else:
        return compare(int(words[0]), words[1])
    return True


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
