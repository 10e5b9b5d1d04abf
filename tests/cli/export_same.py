# SPDX-License-Identifier: MIT
"""export_same.py DIR KIND: the rows of KIND in DIR/parquet, DIR/ndjson and DIR/csv are the same, and in order."""

import csv
import glob
import json
import sys

sys.dont_write_bytecode = True

import parquet  # noqa: E402


def rows(top, kind, end, read):
    out = []
    for path in sorted(glob.glob('%s/%s/*/kind=%s/**/*.%s' % (top, end, kind, end), recursive=True)):
        part = list(read(path))
        if 'hash_hi' in part[0] and part[0]['hash_hi'] not in (None, ''):
            keys = [(int(r['hash_hi']) % 2**64, int(r['hash_lo']) % 2**64) for r in part]
            assert keys == sorted(keys), '%s is not sorted' % path
            assert '/b=%02x/' % (keys[0][0] >> 56) in path and len({k[0] >> 56 for k in keys}) == 1, path
        out += part
    return out


def ndjson(path):
    with open(path, encoding='utf-8') as f:
        for line in f:
            yield json.loads(line)


def csv_rows(path):
    with open(path, encoding='utf-8', newline='') as f:
        yield from csv.DictReader(f, strict=True)


def main():
    top, kind = sys.argv[1:]
    try:
        want = rows(top, kind, 'parquet', parquet.read)
    except parquet.Wrong as e:
        print(e)
        return 1
    got = rows(top, kind, 'ndjson', ndjson)
    text = rows(top, kind, 'csv', csv_rows)
    assert want == got, 'ndjson: %s' % [p for p in zip(want, got) if p[0] != p[1]][:2]
    assert [{k: '' if v is None else str(v) for k, v in r.items()} for r in want] == text, 'csv'
    for row in want:
        print(json.dumps(row, separators=(',', ':'), ensure_ascii=False))
    return 0


sys.exit(main())
