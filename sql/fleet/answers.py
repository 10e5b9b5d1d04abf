# SPDX-License-Identifier: MIT
"""A query's text, how its answers from single buckets combine, and how an answer is printed."""
import csv
import json
import os
import re
import sys

from exports import USAGE, Complaint


class Query:
    """A file of sql/fleet: its text, and what its line "-- combine:" says."""

    def __init__(self, data, name):
        self.name = name
        try:
            if not re.fullmatch(r"[a-z_]+", name):
                raise OSError
            with open(os.path.join(data, name + ".sql"), encoding="utf-8") as f:
                self.text = f.read()
        except OSError as e:
            raise Complaint(USAGE, f"no query {name!r}: there are {', '.join(names(data))}") from e
        m = re.search(r"^-- combine: (concat|none \(all at once\)|sum by ([a-z_, ]*?)( of those in every bucket)?)$",
                      self.text, re.M)
        if not m:
            raise Complaint(USAGE, f"{name}.sql: no line '-- combine:' says how answers combine")
        self.by_bucket = not m.group(1).startswith("none")
        self.keys = m.group(2).split(", ") if m.group(2) else None
        self.in_every = bool(m.group(3))
        # The text without the last semicolon, and its order, which the combined answer has as well.
        self.select = re.sub(r";\s*$", "", self.text)
        self.order = re.findall(r"^ORDER BY .*$", self.select, re.M)[-1]

    def combined(self, columns, buckets):
        """What to ask of the table part, which has the rows of all buckets."""
        if not self.keys:
            return f"SELECT * FROM part {self.order}"
        parts = [c if c in self.keys else f"CAST(SUM({c}) AS BIGINT) AS {c}" for c in columns]
        having = f" HAVING COUNT(*) = {buckets}" if self.in_every else ""
        # Sorted outside, where the names are those of the sums.
        return (f"SELECT * FROM (SELECT {', '.join(parts)} FROM part GROUP BY {', '.join(self.keys)}{having}) summed {self.order}")


def names(data):
    return sorted(f[:-4] for f in os.listdir(data) if f.endswith(".sql"))


def summary(data, name):
    """The first sentence of a query's comment."""
    lines = []
    for line in Query(data, name).text.split("\n"):
        if line in ("--", "") or not line.startswith("--"):
            break
        lines.append(line[3:])
    return " ".join(lines)


def ask(engine, query, buckets):
    """The names of the columns, and an iterator over the rows: all is computed before the first one."""
    if not query.by_bucket:
        buckets = [None]
    for i, bucket in enumerate(buckets):
        engine.show(bucket)
        into = "INSERT INTO part" if i else "CREATE TABLE part AS"
        for _ in engine.execute(f"{into} SELECT * FROM (\n{query.select}\n) answer"):
            pass
    cursor = engine.db.execute("SELECT * FROM part LIMIT 0")
    columns = [d[0] for d in cursor.description]
    for _ in engine.execute(f"CREATE TABLE whole_answer AS {query.combined(columns, len(buckets))}"):
        pass
    return columns, f"SELECT * FROM whole_answer {query.order}"


def shown(value):
    """A cell of a table: control characters, which names of directories may have, as \\xHH."""
    text = "" if value is None else str(value)
    return re.sub("[\x00-\x1f\x7f-\x9f]", lambda m: "\\x%02x" % ord(m.group()), text)


def put(out, columns, widths, rows, form):
    """Print rows as form says; widths are of the columns of a table."""
    if form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    elif form == "json":
        before = "["
        for row in rows:
            out.write(before + json.dumps(dict(zip(columns, row)), ensure_ascii=False))
            before = ",\n "
        out.write("[]\n" if before == "[" else "]\n")
    elif len(columns) == 1:
        # A list, for other programs: scan --hash-sizes reads that of sizes_elsewhere.
        for row in rows:
            out.write(shown(row[0]) + "\n")
    else:
        put_table(out, columns, widths, rows)


def put_table(out, columns, widths, rows):
    first = True
    for row in rows:
        if first:
            # Numbers to the right, as their titles.
            right = [not isinstance(v, str) for v in row]
            cells = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(columns, widths, right)]
            out.write("  ".join(cells).rstrip() + "\n")
            first = False
        cells = [shown(v).rjust(w) if r else shown(v).ljust(w) for v, w, r in zip(row, widths, right)]
        out.write("  ".join(cells).rstrip() + "\n")


def table_widths(engine, columns):
    """How wide the columns of whole_answer are."""
    lengths = ", ".join(f"MAX(LENGTH(CAST({c} AS VARCHAR)))" for c in columns)
    found = next(iter(engine.execute(f"SELECT {lengths} FROM whole_answer")))
    return [max(len(c), n or 0) for c, n in zip(columns, found)]


def to_stdout():
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    return sys.stdout
