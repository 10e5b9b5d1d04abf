# SPDX-License-Identifier: MIT
"""export_engines.py DIR KIND...: engines that are installed read the rows in DIR/parquet as DIR/ndjson has them.

Exit status: 0, and the engines' names; 1, and what differs; 77 where there is neither pyarrow nor duckdb.
"""

import glob
import json
import sys
from base64 import b64encode

INTS = {'inodes': 'int32', 'names': 'int32', 'lasting': 'int32'}
TEXTS = ('volume', 'host', 'dir', 'parent', 'name')


def files(top, kind, end):
    return sorted(glob.glob('%s/%s/*/kind=%s/**/*.%s' % (top, end, kind, end), recursive=True))


def as_json(row):
    return {k: b64encode(v).decode() if isinstance(v, bytes) else v for k, v in row.items()}


def by_pyarrow(path, want):
    import pyarrow.parquet as pq

    f = pq.ParquetFile(path, page_checksum_verification=True)
    for field in f.schema_arrow:
        text = 'string' if field.name in TEXTS else 'binary' if field.name == 'name_raw' else INTS.get(field.name, 'int64')
        assert str(field.type) == text, field
        nullable = ('parent', 'name_raw') + (('hash_hi', 'hash_lo') if '/kind=files/' in path else ())
        assert field.nullable == (field.name in nullable), field
    got = []
    assert f.metadata.num_row_groups == -(-len(want) // 131072), f.metadata
    for g in range(f.metadata.num_row_groups):
        rows = [as_json(r) for r in f.read_row_group(g).to_pylist()]
        assert f.metadata.row_group(g).num_rows == len(rows)
        for c in range(f.metadata.num_columns):
            stats = f.metadata.row_group(g).column(c).statistics
            values = [r[f.schema_arrow.names[c]] for r in rows]
            there = [v for v in values if v is not None]
            assert stats.null_count == len(values) - len(there), stats
            if stats.has_min_max and f.schema_arrow.names[c] != 'name_raw':
                key = (lambda v: v.encode()) if isinstance(stats.min, str) else None
                assert (stats.min, stats.max) == (min(there, key=key), max(there, key=key)), stats
        got += rows
    # Also as a whole, in threads.
    assert got == [as_json(r) for r in pq.read_table(path, partitioning=None).to_pylist()]
    return got


def by_duckdb(path, want):
    import duckdb

    db = duckdb.connect()
    name = "read_parquet('%s', hive_partitioning = false)" % path.replace("'", "''")
    columns = [c[0] for c in db.execute('DESCRIBE SELECT * FROM ' + name).fetchall()]
    got = [as_json(dict(zip(columns, r))) for r in db.execute('SELECT * FROM ' + name).fetchall()]
    # By statistics alone, and by a filter that may skip groups.
    for column in ('size', 'generation'):
        if column in columns:
            least, most, n = db.execute('SELECT min(%s), max(%s), count(*) FROM %s' % (column, column, name)).fetchall()[0]
            assert (least, most, n) == (min(r[column] for r in want), max(r[column] for r in want), len(want)), column
            (n,), = db.execute('SELECT count(*) FROM %s WHERE %s = %d' % (name, column, most)).fetchall()
            assert n == sum(r[column] == most for r in want), column
    return got


def main():
    top, *kinds = sys.argv[1:]
    there = []
    for module, read in (('pyarrow', by_pyarrow), ('duckdb', by_duckdb)):
        try:
            __import__(module)
        except ImportError:
            continue
        there.append(module)
        for kind in kinds:
            paths = files(top, kind, 'parquet')
            assert [p.rsplit('/kind=', 1)[1][:-8] for p in paths] == [p.rsplit('/kind=', 1)[1][:-7] for p in files(top, kind, 'ndjson')]
            for path, lines in zip(paths, files(top, kind, 'ndjson')):
                with open(lines, encoding='utf-8') as f:
                    want = [json.loads(line) for line in f]
                got = read(path, want)
                if got != want:
                    print(module, path, [p for p in zip(got, want) if p[0] != p[1]][:2], len(got), len(want))
                    return 1
    print(*there)
    return 0 if there else 77


sys.exit(main())
