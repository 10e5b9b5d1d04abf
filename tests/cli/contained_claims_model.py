# SPDX-License-Identifier: MIT
"""Random files and listings: contained --in NAME: beside what twindex-rules(7) says of it.

Usage: contained_claims_model.py TWINDEX SEEDS, in an empty directory
"""
import hashlib
import json
import os
import random
import subprocess
import sys

TWINDEX, SEEDS = sys.argv[1], int(sys.argv[2])
KINDS = ['md5', 'sha1', 'sha256']


def run(*args, status=(0,)):
    p = subprocess.run([TWINDEX, *args], capture_output=True, text=True)
    assert p.returncode in status, (args, p.returncode, p.stdout, p.stderr)
    return p.returncode, p.stdout


def digest(kind, data):
    return hashlib.new(kind, data).hexdigest()


def judge(data, name, ours, claims):
    """'claimed', 'unsure' or 'missing'; a claim is (size or None, name, kind or None, digest)."""
    size, unsure = len(data), False
    for csize, cname, kind, value in claims:
        if csize not in (None, size):
            continue
        if kind in ours:
            if value == digest(kind, data):
                return 'claimed'
        elif csize is not None or kind is not None:
            unsure = True
    return 'unsure' if unsure else 'missing'


def one(seed):
    rng = random.Random(seed)
    os.environ['TWINDEX_DB'] = os.path.abspath('db%d' % seed)
    top = 'd%d' % seed
    os.mkdir(top)
    contents = [bytes(rng.choices(b'ab', k=rng.randint(1, 4))) for _ in range(8)]
    files = {'%s/f%d' % (top, i): rng.choice(contents) for i in range(rng.randint(1, 6))}
    for path, data in files.items():
        open(path, 'wb').write(data)
    run('scan', top)
    ours = rng.sample(KINDS, rng.randint(0, 3))
    if ours:
        run('digest', '-k', ','.join(ours), top)
    sources = {}
    for source in ['one', 'two'][:rng.randint(1, 2)]:
        claims = []
        sums = rng.random() < 0.3
        kind_of_sums = rng.choice(KINDS)
        for i in range(rng.randint(1, 6)):
            data = rng.choice(contents)
            name = 'x/f%d' % i if rng.random() < 0.3 else 'x/other%d' % i
            kind = kind_of_sums if sums else rng.choice(KINDS + [None])
            value = kind and digest(kind, data if rng.random() < 0.8 else b'another')
            claims.append((None if sums else len(data), name, kind, value))
        with open('listing', 'w') as f:
            if sums:
                f.writelines('%s  %s\n' % (value, name) for _, name, _, value in claims)
            else:
                json.dump([dict({'Path': name, 'Size': size, 'IsDir': False}, **({'Hashes': {kind: value}} if kind else {}))
                           for size, name, kind, value in claims], f)
        run('import', 'listing', '--as', source)
        sources[source] = claims
    asked = rng.sample(sorted(sources), rng.randint(1, len(sources)))
    said = {}
    for path, data in files.items():
        each = [judge(data, os.path.basename(path), ours, sources[s]) for s in asked]
        said[path] = 'claimed' if 'claimed' in each else 'unsure' if 'unsure' in each else 'missing'
    missing = sorted(os.path.abspath(p) for p in files if said[p] == 'missing')
    want = 1 if missing else 3 if 'unsure' in said.values() else 7
    status, out = run('contained', top, *[a for s in asked for a in ('--in', s + ':')], '--json', status=(1, 3, 7))
    doc = json.loads(out)
    assert status == want and sorted(f['path'] for f in doc['files']) == missing, (seed, want, said, ours, sources, asked, doc)
    assert doc['verdict'] == {1: 'missing', 3: 'not_judged', 7: 'claimed'}[want], doc
    return want


seen = {}
for seed in range(SEEDS):
    s = one(seed)
    seen[s] = seen.get(s, 0) + 1
print(seen)
assert set(seen) == {1, 3, 7}, seen
