# SPDX-License-Identifier: MIT
"""First scans with src/bulk and without: the same tree, the same rows.

    bulk.py PROGRAM BY_SQLITE SHIM

With SHIM (tests/faults/shim.c; it may be missing) a page of the last tree is refused here and there.  Every row of every table and the text of the schema are compared, and both indexes
must be intact.  Only what differs from run to run is left out: times and process numbers.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

# What the time of the run decides.
LEFT_OUT = {'scan': {'started', 'finished', 'pid'}, 'volume': {'free', 'seen'}}


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def nothing(t):
    os.mkdir(t)


def one_file(t):
    put(t + b'/f', b'x')


def few(t):
    """Less than are worth pages of their own."""
    pairs(t, 400)


def pairs(t, n=1300):
    """Contents that are shared, or not, or empty; hard links."""
    for i in range(n):
        put(t + b'/%d/f%d' % (i % 7, i), b'%d' % (i % 90) * (i % 13))
        if i % 20 == 0:
            os.link(t + b'/%d/f%d' % (i % 7, i), t + b'/link%d' % i)


def hostile(t):
    """Names that are no text, as long as can be, or order themselves badly; directories in directories."""
    rng = random.Random(7)
    for i in range(1300):
        name = bytes(rng.choice(b'\x01\n\xff\xc3\xa9.-aA~') for _ in range(rng.choice((1, 3, 80, 255))))
        deep = b'/'.join(b'd%d' % rng.randrange(3) for _ in range(rng.randrange(6)))
        if name not in (b'.', b'..'):
            put(os.path.join(t, deep, b'x', name), b'y' * rng.randrange(40))


def long_names(t):
    """So many that leaves are written before the end: 128 at a time, each with some twenty.  Most are links, which cost less."""
    for d in range(25):
        first = t + b'/%02d/%0250d' % (d, 0)
        put(first, b'%d' % (d % 20))
        for i in range(1, 280):
            os.link(first, t + b'/%02d/%0250d' % (d, i))


# Reads that go wrong: when it is tried out, of the rows, of the first and the second index; and when some leaves are written already.
REFUSED = {pairs: (1, 3, 8, 20, 31) if os.environ.get('EVERY_KIND') else (3, 20), long_names: (350,)}


def rows(db):
    """All of the index: {table: its columns and its rows}, and the texts of the schema."""
    c = sqlite3.connect('file:%s?immutable=1' % db, uri=True)
    c.text_factory = bytes
    intact = [r[0] for r in c.execute('PRAGMA integrity_check')]
    schema = sorted(c.execute('SELECT type, name, tbl_name, sql FROM sqlite_schema'))
    content = {}
    for kind, name, _, _ in schema:
        if kind != b'table':
            continue
        name = name.decode()
        columns = [r[1].decode() for r in c.execute('PRAGMA table_info("%s")' % name)]
        kept = [k for k in columns if k not in LEFT_OUT.get(name, ())]
        content[name] = kept, [r for r in c.execute('SELECT %s FROM "%s"' % (', '.join(kept), name)) if r[0] not in (b'created', b'id')]
    # Through each index, too: what it holds, in its order.
    for index, where in (('file_content', 'hash IS NOT NULL'), ('file_unread', 'hash IS NULL')):
        content[index] = [], list(c.execute('SELECT size, hash, inode, volume, dir, name FROM file INDEXED BY %s WHERE %s' % (index, where)))
    c.close()
    return intact, schema, content


def scan(program, db, tree, env, more=()):
    subprocess.run([program, '--db', db, 'scan', '-q', '--threads=1', '--racy-window', '0', *more, tree], check=True, env=env,
                   stdin=subprocess.DEVNULL)


def compare(name, one, other):
    if one[0] != [b'ok'] or other[0] != [b'ok']:
        sys.exit('FAIL: %s: integrity_check: %s, by SQLite alone %s' % (name, one[0], other[0]))
    if one[1] != other[1]:
        sys.exit('FAIL: %s: the schema differs: %s' % (name, set(one[1]) ^ set(other[1])))
    n = 0
    for table, (columns, found) in one[2].items():
        wanted = other[2][table][1]
        n += len(found)
        if found != wanted:
            for a, b in zip(found + [None], wanted + [None]):
                if a != b:
                    sys.exit('FAIL: %s: %s %s:\n  %s\nby SQLite alone\n  %s' % (name, table, columns, a, b))
    return n


def refuse(program, tree, secret, env, shim, wanted, reads):
    """What is read of a page leads to another page: as if there were no src/bulk."""
    mark, db = secret + '-mark', secret + '-refused.db'
    fault = dict(env, LD_PRELOAD=shim, FAULT_CALL='link', FAULT_ERRNO='2', FAULT_MARK=mark)
    scan(program, db, tree, dict(fault, FAULT_AT='0'), ('--secret-from', secret))
    with open(mark) as f:
        n = int(f.read())
    os.unlink(mark)
    os.unlink(db)
    if n == 0:
        return print('this SQLite does not read by pread64: no page is refused')
    for at in reads:
        scan(program, db, tree, dict(fault, FAULT_AT=str(at)), ('--secret-from', secret))
        if not os.path.exists(mark):
            sys.exit('FAIL: page %d was not read' % at)
        compare('page %d refused' % at, rows(db), wanted)
        for path in (mark, db):
            os.unlink(path)


def main():
    program, by_sqlite, shim = (os.path.abspath(p) for p in sys.argv[1:4])
    top = os.path.realpath(tempfile.mkdtemp(prefix='twindex-bulk.'))
    env = dict(os.environ, HOME=top, XDG_STATE_HOME=top, LC_ALL='C', TZ='UTC')
    try:
        for make in (nothing, one_file, few, pairs, hostile, long_names):
            tree, db, other = (os.path.join(top, make.__name__ + s) for s in ('', '.db', '-other.db'))
            make(os.fsencode(tree))
            scan(program, db, tree, env)
            scan(by_sqlite, other, tree, env, ('--secret-from', db))
            wanted = rows(other)
            print('%s: %d rows' % (make.__name__, compare(make.__name__, rows(db), wanted)))
            if make in REFUSED and os.path.exists(shim):
                refuse(program, tree, db, env, shim, wanted, REFUSED[make])
            shutil.rmtree(tree)
    finally:
        shutil.rmtree(top, ignore_errors=True)


main()
