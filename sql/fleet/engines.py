# SPDX-License-Identifier: MIT
"""What runs a query over the exports of a fleet: DuckDB within a limit of memory, or SQLite.

Both have show(bucket), which makes the views, of one bucket or of all; execute(sql), which returns rows;
and check(fleet), a Complaint if what is read is not what the manifests say.
"""
import csv
import json
import os
import sqlite3
import sys

from exports import BUCKETED, COLUMNS, DAMAGED, FATAL, USAGE, Complaint

# What a column of a type is written as in Parquet.
PHYSICAL = {"BIGINT": ("INT64",), "INTEGER": ("INT32",), "VARCHAR": ("BYTE_ARRAY",)}
IDENTITY = ("index_id", "generation", "hash_id")


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def pattern(path):
    """A path as a list of files takes it, where [, * and ? would be patterns."""
    return literal("".join(f"[{c}]" if c in "[*?" else c for c in path))


def names_of(kind):
    return ", ".join(name for name, _ in COLUMNS[kind])


def chosen_files(export, kind, bucket):
    """The paths of a kind, those of one bucket if there are buckets and it is not None."""
    return [p for b, p in export.files[kind] if bucket is None or kind not in BUCKETED or b == bucket]


def bucket_range(bucket):
    """Between which hash_hi, signed, the hashes of a bucket are."""
    first = int(bucket, 16) << 56
    first -= (1 << 64) if first >= 1 << 63 else 0
    return first, first + (1 << 56) - 1


class Duck:
    name = "duckdb"

    def __init__(self, fleet, scratch, memory, threads, min_size):
        try:
            import duckdb
        except ImportError as e:
            raise Complaint(FATAL, "DuckDB for Python is not there: pip install duckdb; "
                            "or --engine sqlite, for exports as ndjson or csv") from e
        self.fleet, self.min_size = fleet, min_size
        self.Error = duckdb.Error
        self.bucket = None
        # Nothing but what is built in: an answer never waits for a download.
        config = {"temp_directory": scratch, "preserve_insertion_order": "false", "autoinstall_known_extensions": "false"}
        try:
            self.db = duckdb.connect(os.path.join(scratch, "answer.duckdb"), config=config)
            self.db.execute("SET memory_limit = " + literal(memory))
            if threads:
                self.db.execute(f"SET threads = {threads}")
        except duckdb.Error as e:
            raise Complaint(USAGE, f"--memory {memory}: {first_line(e)}") from e

    def reader(self, export, kind, paths):
        """A table expression of these files, which are of one format."""
        if not paths:
            columns = ", ".join(f"CAST(NULL AS {type_}) AS {name}" for name, type_ in COLUMNS[kind])
            return f"(SELECT {columns} WHERE false)"
        listed = "[" + ", ".join(pattern(p) for p in paths) + "]"
        if export.format == "parquet":
            return f"read_parquet({listed}, hive_partitioning = false)"
        if export.format == "ndjson":
            types = "{" + ", ".join(f"{name}: {literal(type_)}" for name, type_ in COLUMNS[kind]) + "}"
            return f"read_json({listed}, format = 'newline_delimited', hive_partitioning = false, columns = {types})"
        types = "{" + ", ".join(f"{name}: {literal(type_)}" for name, type_ in COLUMNS[kind]) + "}"
        return (f"read_csv({listed}, header = true, delim = ',', quote = '\"', escape = '\"', new_line = '\\r\\n', hive_partitioning = false, "
                f"auto_detect = true, all_varchar = false, types = {types})")

    def show(self, bucket):
        self.bucket = bucket
        for view, exports in self.fleet.sources.items():
            kind = "keys" if view == "keys_all" else view
            by_format = {}
            for e in exports:
                # An empty one stands for all formats: a view needs one part at least.
                by_format.setdefault(e.format, (e, []))[1].extend(chosen_files(e, kind, bucket))
            parts = [self.reader(e, kind, paths) for e, paths in by_format.values()]
            where = f" WHERE size >= {self.min_size}" if self.min_size and kind != "dirs" else ""
            selects = [f"SELECT {names_of(kind)} FROM {part}{where}" for part in parts]
            for _ in self.execute(f"CREATE OR REPLACE VIEW {view} AS " + " UNION ALL ".join(selects)):
                pass

    def execute(self, sql):
        """Rows of a statement, a thousand at once; a Complaint names the file that can't be read."""
        try:
            cursor = self.db.execute(sql)
            while True:
                rows = cursor.fetchmany(1000)
                if not rows:
                    return
                yield from rows
        except self.Error as e:
            raise self.complaint(e) from e
        except MemoryError as e:
            raise Complaint(FATAL, "no memory: give --memory less, or another --engine") from e

    def complaint(self, error):
        """What to say of an error: which file can't be read, of those of the bucket that was asked."""
        if type(error).__name__ == "InterruptException":
            raise KeyboardInterrupt from error
        if type(error).__name__ == "OutOfMemoryException":
            return Complaint(FATAL, f"DuckDB needs more memory: --memory allows more: {first_line(error)}")
        for e, kind in self.fleet.used():
            for path in chosen_files(e, kind, self.bucket):
                try:
                    self.read_whole(e, kind, path)
                except self.Error as why:
                    return Complaint(DAMAGED, f"{path}: damaged, or no {e.format} of twindex: {first_line(why)}")
        return Complaint(FATAL, f"DuckDB: {first_line(error)}")

    def read_whole(self, export, kind, path):
        """Every value of every column that queries read, so that a damaged page shows."""
        sums = ", ".join(f"bit_xor(hash({name}))" for name, _ in COLUMNS[kind])
        return self.db.execute(f"SELECT {sums} FROM {self.reader(export, kind, [path])}").fetchall()

    def check(self):
        for e, kind in self.fleet.used():
            paths = chosen_files(e, kind, None)
            try:
                if e.format == "parquet":
                    self.check_parquet(e, kind, paths)
                else:
                    self.check_text(e, kind, paths)
            except self.Error as error:
                raise self.complaint(error) from error

    def check_parquet(self, export, kind, paths):
        """By what stands at the ends of the files, without their rows: names, types, counts, whose they are."""
        if not paths:
            return check_rows(export, kind, 0)
        listed = "[" + ", ".join(pattern(p) for p in paths) + "]"
        types = {}
        for path, name, type_ in self.db.execute(f"SELECT file_name, name, type FROM parquet_schema({listed})").fetchall():
            types.setdefault(path, {})[name] = type_
        for path in paths:
            for name, type_ in COLUMNS[kind]:
                if types.get(path, {}).get(name) not in PHYSICAL[type_]:
                    raise Complaint(DAMAGED, f"{path}: no Parquet of twindex: column {name} is missing, or no {type_}")
        rows = self.db.execute(f"SELECT SUM(num_rows) FROM parquet_file_metadata({listed})").fetchall()[0][0]
        check_rows(export, kind, int(rows))
        wanted = IDENTITY + (("hash_hi",) if kind in BUCKETED else ())
        bounds = self.db.execute(
            "SELECT file_name, path_in_schema, MIN(TRY_CAST(stats_min_value AS BIGINT)), MAX(TRY_CAST(stats_max_value AS BIGINT)),"
            " COUNT(*) - COUNT(TRY_CAST(stats_min_value AS BIGINT)), SUM(row_group_num_rows)"
            f" FROM parquet_metadata({listed}) WHERE path_in_schema IN ({', '.join(literal(w) for w in wanted)})"
            " GROUP BY file_name, path_in_schema").fetchall()
        of_path = {path: bucket for bucket, path in export.files[kind]}
        for path, name, low, high, unknown, n in bounds:
            if of_path[path] == "none" and name == "hash_hi":
                continue
            if unknown and n:
                # Written without statistics: the rows tell.
                low, high = self.db.execute(
                    f"SELECT MIN({name}), MAX({name}) FROM {self.reader(export, kind, [path])}").fetchall()[0]
            check_bounds(export, kind, path, of_path[path], name, low, high)
        return None

    def check_text(self, export, kind, paths):
        total = 0
        of_path = {path: bucket for bucket, path in export.files[kind]}
        wanted = IDENTITY + (("hash_hi",) if kind in BUCKETED else ())
        for path in paths:
            sums = ", ".join(f"MIN({name}), MAX({name})" for name in wanted)
            found = self.db.execute(f"SELECT COUNT(*), {sums} FROM {self.reader(export, kind, [path])}").fetchall()[0]
            total += found[0]
            for i, name in enumerate(wanted):
                if found[0] and not (of_path[path] == "none" and name == "hash_hi"):
                    check_bounds(export, kind, path, of_path[path], name, found[1 + 2 * i], found[2 + 2 * i])
        check_rows(export, kind, total)


def check_rows(export, kind, rows):
    if rows != export.kinds[kind]["rows"]:
        raise Complaint(DAMAGED, f"{export.path}: has {rows} rows of {kind}, but its manifest.json counts {export.kinds[kind]['rows']}")


def check_bounds(export, kind, path, bucket, name, low, high):
    """A Complaint if a column's smallest and largest value are not those of this export and bucket."""
    if name == "hash_hi":
        first, last = bucket_range(bucket)
        if low is None or high is None or low < first or high > last:
            raise Complaint(DAMAGED, f"{path}: has hashes of another bucket than {bucket}")
    elif low != getattr(export, name) or high != getattr(export, name):
        raise Complaint(DAMAGED, f"{path}: has another {name} than the manifest.json of its directory: it belongs to another export")


class Lite:
    """SQLite of Python: the rows of the text exports as tables, those of one bucket at a time."""
    name = "sqlite"
    Error = sqlite3.Error

    def __init__(self, fleet, scratch, memory, threads, min_size):
        for e, _ in fleet.used():
            if e.format == "parquet":
                raise Complaint(USAGE, f"{e.path}: SQLite reads no Parquet: pip install duckdb, or export it with --format ndjson")
        self.fleet, self.min_size = fleet, min_size
        self.db = sqlite3.connect(os.path.join(scratch, "answer.sqlite"), isolation_level=None)
        # What is lost with the machine is not asked for again: the file goes when the answer is there.
        self.db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
        os.environ.setdefault("SQLITE_TMPDIR", scratch)
        self.loaded = set()
        self.rows = {}

    def show(self, bucket):
        for view, exports in self.fleet.sources.items():
            kind = "keys" if view == "keys_all" else view
            # What has no buckets stays the same.
            if view in self.loaded and kind not in BUCKETED:
                continue
            self.loaded.add(view)
            columns = ", ".join(f"{name} {'TEXT' if type_ == 'VARCHAR' else 'INTEGER'}" for name, type_ in COLUMNS[kind])
            self.db.execute(f"DROP TABLE IF EXISTS {view}")
            self.db.execute(f"CREATE TABLE {view} ({columns})")
            marks = ", ".join("?" for _ in COLUMNS[kind])
            for e in exports:
                for b, path in e.files[kind]:
                    if bucket is None or kind not in BUCKETED or b == bucket:
                        self.db.execute("BEGIN")
                        self.db.executemany(f"INSERT INTO {view} VALUES ({marks})", self.wanted(e, kind, path))
                        self.db.execute("COMMIT")

    def wanted(self, export, kind, path):
        size = next((i for i, (name, _) in enumerate(COLUMNS[kind]) if name == "size"), None)
        for row in text_rows(export, kind, path):
            if size is None or row[size] >= self.min_size:
                yield row

    def execute(self, sql):
        try:
            yield from self.db.execute(sql)
        except sqlite3.Error as e:
            raise Complaint(FATAL, f"SQLite: {e}") from e

    def check(self):
        for e, kind in self.fleet.used():
            total = 0
            names = [name for name, _ in COLUMNS[kind]]
            for bucket, path in e.files[kind]:
                for row in text_rows(e, kind, path):
                    total += 1
                    for name in IDENTITY:
                        value = row[names.index(name)]
                        check_bounds(e, kind, path, bucket, name, value, value)
                    if kind in BUCKETED and bucket != "none":
                        check_bounds(e, kind, path, bucket, "hash_hi", row[0], row[0])
            check_rows(e, kind, total)


def text_rows(export, kind, path):
    """The rows of a text file; a Complaint names it and the line that is none."""
    nullable = ("hash_hi", "hash_lo", "parent")
    line = 1
    try:
        with open(path, encoding="utf-8", newline="") as f:
            csv.field_size_limit(min(sys.maxsize, 1 << 30))
            records = csv.DictReader(f, strict=True) if export.format == "csv" else map(json.loads, f)
            for record in records:
                row = []
                for name, type_ in COLUMNS[kind]:
                    value = record[name]
                    if name in nullable and (value is None or value == ""):
                        value = None
                    elif type_ == "VARCHAR":
                        if not isinstance(value, str):
                            raise ValueError(f"{name} is no text")
                    else:
                        value = int(value)
                        if not -(1 << 63) <= value < 1 << 63:
                            raise ValueError(f"{name} is no 64-bit number")
                    row.append(value)
                yield row
                line += 1
    except (OSError, ValueError, TypeError, KeyError, AttributeError, csv.Error) as e:
        raise Complaint(DAMAGED, f"{path}: row {line}: damaged, or no {export.format} of twindex: {type(e).__name__}: {e}") from e


def first_line(error):
    return str(error).strip().split("\n")[0]


ENGINES = {"duckdb": Duck, "sqlite": Lite}
