# SPDX-License-Identifier: MIT
"""The exports of a fleet: found by their manifests, chosen, and held against what the manifests say.

An export is a directory that twindex export made: manifest.json and files below kind=KIND, those of
keys and of files in 256 buckets by the first byte of the hash.
"""
import json
import os
import re

# Columns by kind, and their types in SQL.
COLUMNS = {
    "keys": [
        ("hash_hi", "BIGINT"), ("hash_lo", "BIGINT"), ("size", "BIGINT"), ("hash_id", "BIGINT"), ("host", "VARCHAR"),
        ("index_id", "BIGINT"), ("volume", "VARCHAR"), ("generation", "BIGINT"), ("inodes", "INTEGER"), ("names", "INTEGER"),
        ("lasting", "INTEGER"),
    ],
    # The bytes of a name are left out: no question is about them, and formats write them in different ways.
    "files": [
        ("hash_hi", "BIGINT"), ("hash_lo", "BIGINT"), ("size", "BIGINT"), ("hash_id", "BIGINT"), ("host", "VARCHAR"),
        ("index_id", "BIGINT"), ("volume", "VARCHAR"), ("generation", "BIGINT"), ("inode", "BIGINT"), ("dir", "VARCHAR"),
        ("name", "VARCHAR"), ("mtime", "BIGINT"), ("lasting", "INTEGER"),
    ],
    "sizes": [
        ("size", "BIGINT"), ("files", "BIGINT"), ("unread", "BIGINT"), ("host", "VARCHAR"), ("index_id", "BIGINT"),
        ("hash_id", "BIGINT"), ("generation", "BIGINT"),
    ],
    "dirs": [
        ("dir", "VARCHAR"), ("parent", "VARCHAR"), ("files", "BIGINT"), ("bytes", "BIGINT"), ("duplicated", "BIGINT"),
        ("redundant", "BIGINT"), ("host", "VARCHAR"), ("index_id", "BIGINT"), ("hash_id", "BIGINT"), ("generation", "BIGINT"),
    ],
}
BUCKETED = ("keys", "files")
FORMATS = ("parquet", "ndjson", "csv")

# Exit statuses, as of twindex.
USAGE, PARTIAL, DAMAGED, FATAL = 2, 3, 5, 6


class Complaint(Exception):
    """Why there is no answer, and the exit status that says so."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Export:
    """One export: what its manifest says, and its files by kind as pairs of bucket (or None) and path."""

    def __init__(self, path):
        self.path = path
        manifest = os.path.join(path, "manifest.json")
        try:
            with open(manifest, encoding="utf-8") as f:
                told = json.load(f)
        except (OSError, ValueError) as e:
            raise Complaint(DAMAGED, f"{manifest}: {e}") from e
        for key, kind in (("host", str), ("index_id", int), ("generation", int), ("hash_id", int), ("format", str),
                          ("finished_scan", bool), ("left_out", bool), ("kinds", dict)):
            value = told.get(key) if isinstance(told, dict) else None
            if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
                raise Complaint(DAMAGED, f"{manifest}: {key} is missing, or of another type than {kind.__name__}")
            setattr(self, key, value)
        if self.format not in FORMATS:
            raise Complaint(DAMAGED, f"{manifest}: format {self.format!r} is none of {', '.join(FORMATS)}")
        for kind, counts in self.kinds.items():
            if not isinstance(counts, dict) or any(type(counts.get(c)) is not int for c in ("rows", "files", "bytes")):
                raise Complaint(DAMAGED, f"{manifest}: kinds.{kind} lacks a count of rows, files or bytes")
        self.files = {}

    def find_files(self, kind):
        """Note the files of a kind; a Complaint unless they are as many, with as many bytes, as the manifest says."""
        top = os.path.join(self.path, "kind=" + kind)
        found, size = [], 0

        def broken(error):
            if not isinstance(error, FileNotFoundError) or error.filename != top:
                raise Complaint(FATAL, f"{error.filename}: {error.strerror}")

        for at, dirs, names in os.walk(top, onerror=broken):
            dirs.sort()
            bucket = bucket_of(os.path.relpath(at, top)) if kind in BUCKETED else None
            for name in sorted(names):
                path = os.path.join(at, name)
                if not name.endswith("." + self.format) or (kind in BUCKETED) != (bucket is not None):
                    raise Complaint(DAMAGED, f"{path}: no file of an export of {kind} as {self.format}")
                try:
                    size += os.stat(path).st_size
                except OSError as e:
                    raise Complaint(FATAL, f"{path}: {e.strerror}") from e
                found.append((bucket, path))
        counts = self.kinds[kind]
        for what, n in (("files", len(found)), ("bytes", size)):
            if counts[what] != n:
                raise Complaint(DAMAGED, f"{top}: has {n} {what}, but its manifest.json counts {counts[what]}: "
                                "copy the directory again, or export it anew")
        self.files[kind] = found


def bucket_of(relative):
    """00 ... ff or none of the directory b=XX, or None."""
    m = re.fullmatch(r"b=([0-9a-f]{2}|none)", relative)
    return m and m.group(1)


def find(top):
    """All exports below top, and the names of the directories without a manifest."""
    exports, ignored = [], []
    try:
        entries = sorted(os.scandir(top), key=lambda e: e.name)
    except OSError as e:
        raise Complaint(USAGE, f"{top}: {e.strerror}") from e
    for entry in entries:
        # What begins with a dot is being written, or was left by an export that did not end.
        if entry.name.startswith(".") or not entry.is_dir():
            continue
        if os.path.lexists(os.path.join(entry.path, "manifest.json")):
            exports.append(Export(entry.path))
        else:
            ignored.append(entry.path)
    if not exports:
        raise Complaint(USAGE, f"{top}: no export there: twindex export --out {top}, on each host, makes one")
    return exports, ignored


def paths_of(exports):
    return ", ".join(e.path for e in exports)


def refuse_doubles(exports):
    """A Complaint where one host would count twice, or two as one."""
    by_host, by_index, by_generation = {}, {}, {}
    for e in exports:
        by_host.setdefault(e.host, []).append(e)
        by_index.setdefault(e.index_id, []).append(e)
        by_generation.setdefault((e.index_id, e.generation), []).append(e)
    for host, those in by_host.items():
        if len({e.index_id for e in those}) > 1:
            raise Complaint(USAGE, f"two indexes have the host name {host}: {paths_of(those)}: "
                            "export one with --host NAME, or move the exports away of one that is no more")
    for those in by_index.values():
        if len({e.host for e in those}) > 1:
            raise Complaint(USAGE, f"one index has two host names: {paths_of(those)}: move the exports of one name away")
    for those in by_generation.values():
        if len(those) > 1:
            raise Complaint(USAGE, f"one generation is there twice: {paths_of(those)}: move one away")


def choose(exports, hash_id):
    """The newest generation of each index, and all: of the one hash_id, or of the one that is asked for."""
    refuse_doubles(exports)
    newest = {}
    for e in exports:
        if e.index_id not in newest or newest[e.index_id].generation < e.generation:
            newest[e.index_id] = e
    groups = {}
    for e in newest.values():
        groups.setdefault(e.hash_id, []).append(e.host)
    said = "; ".join(f"{h}: {', '.join(sorted(hosts))}" for h, hosts in sorted(groups.items()))
    if hash_id is None and len(groups) > 1:
        raise Complaint(USAGE, f"the hosts' hashes are made with different secrets, so no hash of one group is found in another "
                        f"(hash_id: hosts): {said}: --hash-id asks about one group")
    if hash_id is None:
        hash_id = next(iter(groups))
    if hash_id not in groups:
        raise Complaint(USAGE, f"no host has the hash_id {hash_id} (hash_id: hosts): {said}")
    chosen = [e for e in newest.values() if e.hash_id == hash_id]
    of_group = {e.index_id for e in chosen}
    return chosen, [e for e in exports if e.hash_id == hash_id and e.index_id in of_group]


def views_of(query):
    """The views that a query reads."""
    code = re.sub(r"--[^\n]*", "", query)
    return set(re.findall(r"\b(?:FROM|JOIN)\s+(keys_all|keys|files|sizes|dirs)\b", code))


class Fleet:
    """What a query reads: sources[view] are the exports, told are the notes about what it can't cover."""

    def __init__(self, top, query, hash_id):
        exports, ignored = find(top)
        newest, every = choose(exports, hash_id)
        self.told = [f"{path}: ignored, it has no manifest.json" for path in ignored]
        self.sources = {}
        for view in sorted(views_of(query)):
            kind = "keys" if view == "keys_all" else view
            those = every if view == "keys_all" else newest
            for e in newest:
                if kind not in e.kinds:
                    raise Complaint(USAGE, f"{e.path}: is the newest export of {e.host}, and has no {kind}: "
                                    f"twindex export --what {kind}")
            self.sources[view] = [e for e in those if kind in e.kinds]
        used = {id(e): e for those in self.sources.values() for e in those}.values()
        for e in used:
            for kind in self.kinds_of(e):
                e.find_files(kind)
            if not e.finished_scan:
                self.told.append(f"{e.path}: its scan was not finished: the answer lacks files of {e.host}")
            # Whoever deletes by the answer deletes these, too.
            if e.left_out and re.search(r"^-- covers: all files$", query, re.M):
                self.told.append(f"{e.path}: scans leave out files of {e.host}, or could not read a directory: there may be more than is "
                                 "listed here as elsewhere")
        for e in self.sources.get("keys_all", []):
            if e.kinds["keys"]["rows"] == 0:
                self.told.append(f"{e.path}: has no keys, so growth can't tell of this generation")

    def kinds_of(self, export):
        """The kinds that the query reads of this export."""
        return sorted({"keys" if view == "keys_all" else view for view, those in self.sources.items() if export in those})

    def used(self):
        """Each pair of export and kind that is read, once."""
        seen = {id(e): e for those in self.sources.values() for e in those}.values()
        return [(e, kind) for e in seen for kind in self.kinds_of(e)]

    def buckets(self):
        """The buckets of keys in which a host has something; one if nobody has."""
        found = {b for those in self.sources.values() for e in those for b, _ in e.files.get("keys", [])}
        return sorted(found) or ["00"]
