# SPDX-License-Identifier: MIT
# at-risk --archives shows what lives in archives alone, and redundant --archives which archives hold nothing of that kind: what
# other programs unpack of them and SHA-256 finds in no file.
# TRIES=N plays N trees in place of 4, or of 12 with EVERY_KIND=1.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
need bsdtar zip

mkdir home old trash
printf 'here' >home/here
printf 'lost, and long' >lost
printf 'gone' >gone
cp home/here home/too
(cp home/here here && zip -q old/a.zip lost gone here && bsdtar -czf old/b.tgz lost here) || fail 'archives'
bsdtar -cf home/all.tar here
rm lost gone here
scan --archives --hash-all .
run 1 at-risk --archives -c "$T/work/"
out <<'END'
      18 B  2 of 3 members in old/a.zip
      14 B  1 of 2 members in old/b.tgz
3 members, 18 B in archives alone.
END
run 1 at-risk --archives --files -c "$T/work/" old
out <<'END'
old/a.zip!/lost
old/a.zip!/gone
old/b.tgz!/lost
END
run 0 at-risk --archives home
out_line 'No member of an archive is in archives alone.'
# What has no archive's name was not asked, and that is not read as a yes.
mkdir home/none && cp old/a.zip home/none/a.dat
scan .
run 0 at-risk --archives home/none
out_line 'No archive was looked into: they are known by their names.'
rm -r home/none
scan .
run 1 at-risk --archives --min-size 10 -c "$T/work/"
out_line '      14 B  1 member in old/a.zip'
run 1 at-risk --archives --in old home
run 0 at-risk --archives --exclude old
run 1 at-risk --archives --json
out_has '"state":"in-archive","files":1,'
out_has '"verdict":"at_risk","exit":1,'
run 2 at-risk --archives --one-volume
run 2 at-risk --archives --newer 1d
run 2 at-risk --archives -0

# A file that is there keeps a member only while it is what the index has.
printf 'lost, and long' >home/found
printf 'gone' >home/back
scan .
run 0 at-risk --archives
echo changed >home/back
run 3 at-risk --archives
rm home/back
run 1 at-risk --archives -c "$T/work/"
out_line '       4 B  1 of 3 members in old/a.zip'

# What was not opened, is new, has changed or is encrypted is not judged.
printf 'gone' >home/back
scan .
run 0 at-risk --archives
cp old/a.zip old/new.zip
run 3 at-risk --archives
err_has 'not judged: 1 new since the scan'
rm old/new.zip
run 0 --db "$T/plain.db" scan --racy-window 0s old
run 3 --db "$T/plain.db" at-risk --archives -v
err_has 'old/a.zip (an archive that was not opened: scan --archives does)'
printf 'x' >secret && zip -q -P word old/secret.zip secret && rm secret
scan .
run 3 at-risk --archives -v
err_has 'encrypted'
rm old/secret.zip
scan .
run 0 at-risk --archives
mv old/a.zip old/moved.zip
ln old/moved.zip old/twice.zip
rm home/back
scan .
run 1 at-risk --archives -c "$T/work/"
out_line '       4 B  1 of 3 members in old/moved.zip'
out_lacks twice

[ -n "$PYTHON" ] || exit 0
cat >"$T/judge.py" <<'END'
import hashlib, json, os, random, shutil, subprocess, sys, tarfile, zipfile

program, tries = os.environ['TWINDEX'], int(os.environ.get('TRIES', '12' if os.environ.get('EVERY_KIND') else '4'))
first = int(os.environ.get('FIRST', '1'))

def run(*words):
    return subprocess.run([program, *words], capture_output=True, timeout=60)

def digest(data):
    return hashlib.sha256(data).hexdigest()

def pack(path, members):
    if path.endswith('.zip'):
        with zipfile.ZipFile(path, 'w', random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as z:
            for name, data in members:
                z.writestr(name, data)
    else:
        with tarfile.open(path, 'w:' + random.choice(('', 'gz', 'xz'))) as t:
            for name, data in members:
                with open('member', 'wb') as f:
                    f.write(data)
                t.add('member', name)
        if members:
            os.unlink('member')

together = 0
for seed in range(first, first + tries):
    random.seed(seed)
    top = os.path.join(os.getcwd(), 'seed%d' % seed)
    os.makedirs(top + '/a/b')
    os.makedirs(top + '/c')
    pool = [b'%d' % i * random.choice((1, 3, 50, 9000)) for i in range(12)] + [b'']
    kept = [p for p in pool if random.random() < 0.5]
    where = [top + d for d in ('/a', '/a/b', '/c')]
    files = {}
    for i in range(random.randrange(1, 12)):
        path, data = '%s/f%d' % (random.choice(where), i), random.choice(kept or pool)
        with open(path, 'wb') as f:
            f.write(data)
        files[path] = data
    archives, packed, holds = {}, {}, {}
    for i in range(random.randrange(0, 6)):
        path = '%s/%d.%s' % (random.choice(where), i, random.choice(('zip', 'tar.gz', 'tar')))
        members = [('m%d' % j, random.choice(pool)) for j in range(random.randrange(0, 7))]
        for j in range(random.choice((0, 0, 0, 1, 2)) if archives else 0):
            inner = random.choice(sorted(archives))
            members.append(('in%d-%s' % (j, os.path.basename(inner)), packed[inner]))
        pack(path, members)
        archives[path] = members
        with open(path, 'rb') as f:
            packed[path] = f.read()
        holds[digest(packed[path])] = members
    if random.random() < 0.3:
        shutil.copytree(top + '/c', top + '/d')
        for of in files, archives, packed:
            of.update({top + '/d' + p[len(top + '/c'):]: d for p, d in of.items() if p.startswith(top + '/c/')})
    os.environ['TWINDEX_DB'] = top + '.db'
    whole, deep = random.random() < 0.5, random.random() < 0.5
    scan = run('scan', '-q', '--racy-window', '0s', '--nested-archives' if deep else '--archives', *(['--hash-all'] if whole else []), top)
    assert scan.returncode == 0, scan.stderr
    for path in random.sample(sorted(files), min(len(files), random.choice((0, 0, 1, 2)))):
        os.unlink(path)
        del files[path]
    dirs = random.choice(((), (), (top + '/a',), (top + '/c', top + '/a/b')))
    ins = random.choice(((), (), (top + '/c',)))
    below = lambda path, tops: not tops or any(path.startswith(t + '/') for t in tops)
    have = {digest(d) for p, d in [*files.items(), *packed.items()] if below(p, ins)}
    wanted, lines, total = [], {}, {}
    for path, members in archives.items():
        alone = [(n, d) for n, d in members if d and digest(d) not in have]
        # What an archive in it holds is asked about where that has no copy.
        asked = [('%s!/%s' % (n, m), e) for n, d in alone if deep for m, e in holds.get(digest(d), ()) if e]
        within = [(n, d) for n, d in asked if digest(d) not in have]
        if below(path, dirs) and alone:
            wanted += ['%s!/%s' % (path, n) for n, _ in alone + within]
            lines[path] = (len(alone) + len(within), sum(1 for _, d in members if d) + len(asked), sum(len(d) for d in {d for _, d in alone}))
            total.update({digest(d): len(d) for _, d in alone})
    words = ['at-risk', '--archives', *[w for i in ins for w in ('--in', i)]]
    got = run(*words, '--files', *dirs)
    listed = run(*words, '--json', *dirs)
    document = json.loads(listed.stdout)
    rows = {r['path']: (r['files'], r['of'], r['bytes']) for r in document['trees']}
    if not whole:
        # Of members that were not read nobody knows which are equal.
        rows = {p: r[:2] for p, r in rows.items()}
        lines = {p: r[:2] for p, r in lines.items()}
        document['totals']['bytes'] = sum(total.values())
    said = (sorted(got.stdout.decode().splitlines()), rows, document['totals']['bytes'], got.returncode, listed.returncode)
    going = {p for p, members in archives.items() if below(p, dirs) and any(d for _, d in members) and
             all(digest(d) in have for _, d in members if d)}
    # One on which another one relies stays.
    relied = {digest(d) for p in going for _, d in archives[p]}
    going = {p for p in going if digest(packed[p]) not in relied}
    gone = run('redundant', '--archives', *words[2:], '--json', *dirs)
    rows_of = json.loads(gone.stdout)['trees']
    if {r['path'] for r in rows_of} != going or gone.returncode != (0 if going else 1) or any(
            r['state'] != 'archive' or sum(i['files'] for i in r['also_in']) + r['elsewhere'] != r['files'] or
            r['bytes'] != os.path.getsize(r['path']) for r in rows_of):
        print('seed', seed, 'redundant', dirs, ins, gone, going)
        sys.exit(1)
    if not dirs and not ins:
        # Directories that could go as a whole may go together with all these archives.
        trees = [r['path'] for r in json.loads(run('redundant', '--json').stdout)['trees'] if r['state'] == 'redundant']
        stays = lambda path: path not in going and not any(path.startswith(t + '/') for t in trees)
        left = {digest(d) for p, d in [*files.items(), *packed.items()] if stays(p)}
        lost = [p for p, d in files.items() if d and digest(d) not in left]
        lost += [p for p, d in packed.items() if digest(d) not in left and any(digest(m) not in left for _, m in archives[p] if m)]
        if lost:
            print('seed', seed, 'together', trees, going, 'lose', lost)
            sys.exit(1)
        together += bool(trees and going)
    expected = (sorted(wanted), lines, sum(total.values()), 1 if wanted else 0, 1 if wanted else 0)
    if said != expected:
        print('seed', seed, deep, words, dirs, '\n', said, '\n', expected, '\n', got.stderr.decode())
        sys.exit(1)
if tries >= 300 and together < 5:
    print('only', together, 'seeds have both')
    sys.exit(1)
END
"$PYTHON" -SB "$T/judge.py" || fail 'the judge'
