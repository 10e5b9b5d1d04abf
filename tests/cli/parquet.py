# SPDX-License-Identifier: MIT
"""A reader of Parquet files that needs no package, by the format's specification.

It reads what the specification calls a flat schema: data pages of version 1, PLAIN and
RLE_DICTIONARY, pages that are not compressed or compressed by zstd (with the command zstd).  Whatever
the file says twice is compared: counts, offsets, sizes, statistics.
"""

import json
import shutil
import struct
import subprocess
import sys
from base64 import b64encode

INT32, INT64, BYTES = 1, 2, 6


class Wrong(Exception):
    """The file is not as the specification says."""


def check(what, *about):
    if not what:
        raise Wrong(' '.join(map(str, about)))


class Compact:
    """Structs in Thrift's compact protocol, as dicts by the id of their fields."""

    def __init__(self, data, at=0):
        self.data = data
        self.at = at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        n = shift = 0
        while True:
            b = self.byte()
            n |= (b & 0x7f) << shift
            shift += 7
            if b < 0x80:
                return n

    def number(self):
        n = self.varint()
        return n >> 1 ^ -(n & 1)

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self.number()
        if kind == 8:
            n = self.varint()
            self.at += n
            return bytes(self.data[self.at - n:self.at])
        if kind == 9:
            head = self.byte()
            n = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(n)]
        check(kind == 12, 'a field of type', kind)
        return self.struct()

    def struct(self):
        fields, last = {}, 0
        while head := self.byte():
            last = last + (head >> 4) if head >> 4 else self.number()
            check(last not in fields, 'field', last, 'twice')
            fields[last] = self.value(head & 15)
        return fields


def hybrid(data, bits, n):
    """n numbers of runs and of packed groups.  Returns them, and where they end."""
    c, out = Compact(data), []
    while len(out) < n:
        head = c.varint()
        if head & 1:
            groups = head >> 1
            word = int.from_bytes(data[c.at:c.at + groups * bits], 'little')
            check(c.at + groups * bits <= len(data), 'packed values go on behind the page')
            out += [word >> i * bits & (1 << bits) - 1 for i in range(groups * 8)]
            c.at += groups * bits
        else:
            width = (bits + 7) // 8
            out += [int.from_bytes(data[c.at:c.at + width], 'little')] * (head >> 1)
            c.at += width
    return out[:n], c.at


def plain(data, kind, n):
    if kind in (INT32, INT64):
        width = 4 if kind == INT32 else 8
        check(len(data) == n * width, 'a page of', len(data), 'bytes for', n, 'numbers')
        return list(struct.unpack('<%d%s' % (n, 'i' if kind == INT32 else 'q'), data))
    out, at = [], 0
    for _ in range(n):
        size, = struct.unpack_from('<I', data, at)
        out.append(bytes(data[at + 4:at + 4 + size]))
        at += 4 + size
    check(at == len(data), 'a page ends at', at, 'of', len(data))
    return out


def unzstd(frames):
    if not frames:
        return b''
    if shutil.which('zstd') is None:
        print('no zstd to read what is compressed')
        sys.exit(77)
    return subprocess.run(['zstd', '-dcq'], input=b''.join(frames), stdout=subprocess.PIPE, check=True).stdout


class File:
    def __init__(self, path):
        with open(path, 'rb') as f:
            self.data = f.read()
        data = self.data
        check(data[:4] == b'PAR1' and data[-4:] == b'PAR1', 'no magic')
        size, = struct.unpack('<I', data[-8:-4])
        c = Compact(data, len(data) - 8 - size)
        self.footer = c.struct()
        check(c.at == len(data) - 8, 'the footer ends at', c.at, 'of', len(data) - 8)
        root, *self.schema = self.footer[2]
        check(root[5] == len(self.schema) and 5 not in self.schema[0], 'no flat schema')
        check(len(self.footer[7]) == len(self.schema), 'no order for each column')
        self.names = [s[4].decode() for s in self.schema]
        self.text = [s.get(6) == 0 and 1 in s.get(10, {}) for s in self.schema]
        self.pages = []
        at = 4
        for group in self.footer[4]:
            check(len(group[1]) == len(self.schema), 'a group without all columns')
            check(group[2] == sum(chunk[3][6] for chunk in group[1]), 'bytes of a group')
            for s, chunk in zip(self.schema, group[1]):
                at = self.locate(s, chunk[3], group[3], at)
        check(at == len(data) - 8 - size, 'bytes behind the last chunk')
        check(self.footer[3] == sum(g[3] for g in self.footer[4]), 'rows of all groups')
        packed = [p for p in self.pages if p['packed'] is not None]
        whole = unzstd([p['packed'] for p in packed])
        at = 0
        for p in packed:
            p['data'] = whole[at:at + p['size']]
            at += p['size']
        check(at == len(whole), 'pages decompress to', len(whole), 'bytes, not', at)

    def locate(self, s, meta, rows, at):
        """Find the pages of a chunk, which begins at at.  Returns where it ends."""
        begin = at
        check(meta[1] == s[1] and meta[3] == [s[4]] and meta[5] == rows, 'a chunk of another column', s)
        check(meta.get(11, meta[9]) == at, 'a chunk begins at', at, 'not', meta)
        plain_bytes = 0
        while at < begin + meta[7]:
            c = Compact(self.data, at)
            head = c.struct()
            check(head[1] != 0 or at == meta[9], 'a data page at', at)
            body = self.data[c.at:c.at + head[3]]
            zstd = meta[4] == 6
            check(zstd or (meta[4] == 0 and head[2] == head[3]), 'compression', meta[4])
            self.pages.append({'head': head, 'size': head[2], 'packed': body if zstd else None, 'data': body})
            plain_bytes += c.at - at + head[2]
            at = c.at + head[3]
        check(at == begin + meta[7] and plain_bytes == meta[6], 'bytes of a chunk')
        return at

    def column(self, s, meta, rows, pages):
        values = None
        head, data = pages[0]['head'], pages[0]['data']
        if head[1] == 2:
            check(head[7][2] == 0, 'encoding of a dictionary')
            values = plain(data, s[1], head[7][1])
            check(len(set(values)) == len(values), 'a dictionary has a value twice')
            head, data = pages[1]['head'], pages[1]['data']
        check(head[1] == 0 and head[5][1] == rows, 'values of a page')
        defined = [1] * rows
        if s[3] == 1:
            size, = struct.unpack_from('<I', data)
            defined, end = hybrid(data[4:4 + size], 1, rows)
            check(end == size, 'levels end at', end, 'of', size)
            data = data[4 + size:]
        n = sum(defined)
        if values is None:
            check(head[5][2] == 0, 'encoding')
            found = plain(data, s[1], n)
        else:
            check(head[5][2] == 8, 'encoding')
            numbers, end = hybrid(data[1:], data[0], n)
            check(end == len(data) - 1, 'a page goes on behind its values')
            found = [values[i] for i in numbers]
        stats = meta[12]
        check(stats[3] == rows - n, 'nulls')
        if 5 in stats:
            least, most = min(found), max(found)
            if s[1] != BYTES:
                least, most = (v.to_bytes(4 if s[1] == INT32 else 8, 'little', signed=True) for v in (least, most))
            check(stats[6] == least and stats[5] == most, 'statistics', stats, least, most)
        else:
            check(n == 0 or s[1] == BYTES, 'no statistics')
        found = iter(found)
        return [next(found) if d else None for d in defined]

    def rows(self):
        """All rows, as lists in the order of columns: bytes that are text as text."""
        pages = list(self.pages)
        for group in self.footer[4]:
            columns = []
            for s, text, chunk in zip(self.schema, self.text, group[1]):
                n = 2 if 11 in chunk[3] else 1
                values = self.column(s, chunk[3], group[3], pages[:n])
                pages = pages[n:]
                columns.append([v.decode() for v in values] if text and s[3] == 0 else
                               [v if v is None or not text else v.decode() for v in values])
            yield from zip(*columns)


def read(path):
    """The rows of a file as dicts, with bytes in base64: as NDJSON has them."""
    f = File(path)
    for row in f.rows():
        yield {k: b64encode(v).decode() if isinstance(v, bytes) else v for k, v in zip(f.names, row)}


if __name__ == '__main__':
    for name in sys.argv[1:]:
        try:
            for row in read(name):
                print(json.dumps(row, separators=(',', ':'), ensure_ascii=False))
        except (Wrong, IndexError, struct.error) as e:
            print('%s: %s' % (name, e))
            sys.exit(1)
