# SPDX-License-Identifier: MIT
# compare and similar take an archive that was opened for a directory: what they say of it is what they say of the directory that
# another program unpacks it to.  TRIES=N plays N pairs of trees in place of 3, or of 30 with EVERY_KIND=1; FIRST=N begins with N.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
[ -n "$PYTHON" ] || skip 'no python'
need bsdtar zip

mkdir -p d/sub
echo one >d/one
echo two >d/sub/two
echo three >d/three
: >d/empty
(cd d && zip -qr ../a.zip . -x sub/) && echo four >d/four && mv d/one d/uno && bsdtar -cf b.tar d/sub || fail 'archives'
scan --archives .

run 1 compare a.zip d
out <<'END'
A: a.zip
B: d
        3 files       10 B  the same
        1 file         4 B  at another path
        1 file         5 B  only in B
B lacks nothing of A; A lacks 1 file (5 B) of B
END
err_has "the members of an archive were compared as they were when it was opened; symbolic links, permissions and what is no file were not"
run 1 compare -r --only-left d a.zip
out <<'END'
four
END
run 1 compare --moved a.zip d
out_line "$T/work/a.zip!/one -> $T/work/d/uno"
run 1 compare a.zip b.tar
out_line '        1 file         4 B  at another path'
out_line '        3 files       10 B  only in A, 1 of them empty'
err_has 'the members of 2 archives were compared'
run 0 similar --min-share 10 a.zip
out <<END
14 B, 3 files: contained
100%  $T/work/a.zip!
 73%  $T/work/d (only here: 1 file, 5 B)

END
run 0 similar --json a.zip b.tar
out_has "\"kind\":\"twins\",\"contents\":1,\"bytes\":4"
out_has "\"path\":\"$T/work/b.tar!/d/sub\""
# Where no pair is found, the files are looked at, and the members are as they were.
run 0 similar --min-size 1k a.zip
echo six >d/six
run 3 similar --min-size 1k a.zip
err_has 'not judged: 1 new since the scan'
rm d/six
# An archive and a file are two files, and so are two archives with one content.
run 1 compare a.zip d/four
out_has 'with other content'
cp a.zip same.zip
scan .
run 0 compare a.zip same.zip
out_line "        1 file  .*  the same"
# One that has changed is asked about as what it is now: a file.
touch b.tar
run 2 compare b.tar d
err_has "'$T/work/b.tar' is a file, '$T/work/d' a directory: scan --archives opens it"
run 2 similar b.tar
err_has "'$T/work/b.tar' is not a directory of the index: scan --archives opens it"
scan .
run 1 compare b.tar d

# What is not known of a member is not judged, and changes nothing for others.
(cd d && zip -q -P secret ../secret.zip sub/two && zip -q ../secret.zip three) || fail 'zip -P'
scan .
run 3 compare secret.zip d
out_line '        1 file         4 B  not judged.*'
out_line '        1 file         6 B  the same'
run 3 similar secret.zip d
out_has '1 not judged'
# A hard link has the content of the member that it leads to, unless that is not known.
mkdir linked && echo three >linked/a && ln linked/a linked/b && bsdtar -cf linked.tar -C linked a b
"$PYTHON" -S - <<'END' || fail 'python'
import tarfile
with tarfile.open('nowhere.tar', 'w') as archive:
    entry = tarfile.TarInfo('a')
    entry.type, entry.linkname = tarfile.LNKTYPE, 'elsewhere'
    archive.addfile(entry)
END
scan .
run 0 compare linked.tar linked
out_line '        2 files       12 B  the same'
run 0 contained linked.tar linked
run 3 compare nowhere.tar linked
out_line '        1 file .* not judged, in B 1 file'
# newc has the content of linked names behind the last one: of the others it is not known.
bsdtar --format newc -cf linked.cpio -C linked a b
scan .
run 0 ls linked.cpio
out_lacks empty
run 0 contained linked.cpio linked
run 3 compare linked.cpio linked
out_line '        1 file         6 B  the same'
out_line '        1 file         1 B  not judged, in B 1 file'
# A zip may call a directory what has content.
"$PYTHON" -S - <<'END' || fail 'python'
import zipfile
with zipfile.ZipFile('dir.zip', 'w') as archive:
    archive.writestr('a', b'three\n')
    archive.writestr('b\\', b'three\n')
    archive.writestr('c/', b'')
END
scan .
run 3 contained dir.zip linked
out_lacks '!/a'
run 0 ls dir.zip
out_line '   unknown  .*!/b/ (it is called a directory, and has content)'
# Nobody read two members of one size that no file has.
echo alone1 >x && zip -q x.zip x && echo alone2 >x && zip -q y.zip x && rm x
scan .
run 3 compare x.zip y.zip
scan --archives --hash-all .
run 1 compare x.zip y.zip
out_has "1 file         7 B  with other content"
# Other indexes are asked about directories.
run 0 --db other.db --secret-from "$TWINDEX_DB" scan d
run 2 similar --with other.db a.zip
err_has 'its members are compared with this index alone'
# Names that would leave a directory are only names; of two with one path the last one is there.
"$PYTHON" -S - <<'END' || fail 'python'
import io, tarfile
with tarfile.open('odd.tar', 'w') as archive:
    for name, data in ('../up', b'up'), ('/abs', b'abs'), ('./d/./x', b'first'), ('d//x', b'second'), ('b\udcff/y\n', b'bytes'):
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
END
mkdir -p odd/d "odd/$(printf 'b\377')"
printf second >odd/d/x
printf abs >odd/abs
printf bytes >"odd/$(printf 'b\377/y')
"
printf up >odd/other
scan .
run 1 compare odd.tar odd
out_line '        3 files       14 B  the same'
out_line '        1 file         2 B  at another path'

# An archive in an archive is a directory to similar, and to compare the file that it is unpacked as.
mkdir more nested && printf 'much more than before' >more/much && printf 'and even more of it' >more/even
bsdtar -czf nested/inner.tgz -C more much even && (cd nested && zip -q ../outer.zip inner.tgz)
run 0 scan --racy-window 0s --archives --nested-archives .
run 0 similar outer.zip
out_line '40 B, 2 files: twins'
out_line "100%  $T/work/outer.zip!/inner.tgz!"
out_line "100%  $T/work/more"
out_has "$T/work/outer.zip! (only here: 2 files, 40 B)"
run 0 compare outer.zip nested
out_line "        1 file  .*  the same"

cat >"$T/judge.py" <<'END'
import json, os, random, shutil, subprocess, sys, tarfile

program = os.environ['TWINDEX']
first = int(os.environ.get('FIRST', '1'))
tries = int(os.environ.get('TRIES', '30' if os.environ.get('EVERY_KIND') else '3'))

def fail(seed, message):
    print(f'FAIL: seed {seed}: {message}')
    sys.exit(1)

def twindex(seed, *arguments, statuses=(0, 1)):
    ended = subprocess.run([program, *arguments], capture_output=True, timeout=120)
    if ended.returncode not in statuses:
        fail(seed, f'{arguments}: {ended.returncode}: {ended.stderr[-500:]}')
    return ended.stdout

def plant(chance, top, contents, links):
    """A tree, and what lies where in it."""
    tree = {}
    for _ in range(chance.randrange(1, 14)):
        path = '/'.join(chance.choice(['a', 'b', 'c d', 'é']) for _ in range(chance.randrange(0, 3))) + '/' + chance.choice(['f', 'g', 'h', 'i j', '-k'])
        path = path.lstrip('/')
        if path in tree or any(other.startswith(path + '/') or path.startswith(other + '/') for other in tree):
            continue
        os.makedirs(os.path.dirname(f'{top}/{path}'), exist_ok=True)
        if tree and chance.random() < links:
            to = chance.choice(list(tree))
            tree[path] = tree[to]
            os.link(f'{top}/{to}', f'{top}/{path}')
            continue
        tree[path] = chance.choice(contents)
        with open(f'{top}/{path}', 'wb') as f:
            f.write(tree[path])
    return tree

def pack(top, archive):
    if archive.endswith('.zip'):
        subprocess.run(['zip', '-qr', os.path.abspath(archive), '.'], cwd=top, check=True)
    else:
        with tarfile.open(archive, {'tar': 'w', 'tgz': 'w:gz', 'xz': 'w:xz'}[archive.split('.')[-1]]) as made:
            made.add(top, '.')

def model(left, right):
    """compare, as its manual has it: the class of every path."""
    def rest(mine, other, only):
        has = {data for data in other.values() if data}
        return {path: 'moved' if mine[path] and mine[path] in has else only for path in mine if path not in other}
    both = {path: 'same' if left[path] == right[path] else 'different' for path in left if path in right}
    return {**both, **rest(left, right, 'only-left')}, {**both, **rest(right, left, 'only-right')}

def pairs(seed, a, b, prefix_a, prefix_b):
    found = {}, {}
    for arguments in [], ['--same']:
        for pair in json.loads(twindex(seed, '--db', 'judge.db', 'compare', '--json', *arguments, a, b))['pairs']:
            for side, path, prefix in (0, pair['left'], prefix_a), (1, pair['right'], prefix_b):
                # A partner by content has a class of its own by its path.
                if path is not None and found[side].get(path[len(prefix) + 1:]) not in ('same', 'different'):
                    found[side][path[len(prefix) + 1:]] = pair['class']
    return found

def judge(seed):
    chance = random.Random(seed)
    contents = [b''] + [b'%d' % i * chance.randrange(1, 4) for i in range(chance.randrange(3, 12))]
    base = os.path.abspath('judge')
    for name in 'left', 'right':
        os.makedirs(f'judge/{name}')
    links = chance.choice([0, 0, 0.3])
    left, right = plant(chance, 'judge/left', contents, links), plant(chance, 'judge/right', contents, links)
    a, b = (f'judge/{name}.{chance.choice(["zip", "tar", "tgz", "tar.xz"])}' for name in ('A', 'B'))
    pack('judge/left', a)
    pack('judge/right', b)
    twindex(seed, '--db', 'judge.db', 'scan', '--archives', *chance.choice([[], ['--hash-all']]), 'judge')
    names = {'left': (f'{base}/left', 'judge/left'), 'right': (f'{base}/right', 'judge/right'),
             'A': (f'{os.path.abspath(a)}!', a), 'B': (f'{os.path.abspath(b)}!', b)}
    for one, other in ('A', 'right'), ('left', 'B'), ('A', 'B'):
        got = pairs(seed, names[one][1], names[other][1], names[one][0], names[other][0])
        if got != model(left, right):
            fail(seed, f'compare {one} {other}: {got}, not {model(left, right)}')
    said = []
    # To similar the names of one inode are one file, which an archive does not tell.
    for one, other in [('left', 'right'), ('A', 'right'), ('left', 'B'), ('A', 'B')] if links == 0 else []:
        text = twindex(seed, '--db', 'judge.db', 'similar', '--json', '--min-share', '1', names[one][1], names[other][1]).decode()
        for name in one, other:
            text = text.replace(json.dumps(names[name][0], ensure_ascii=False)[:-1], '"' + {'A': 'left', 'B': 'right'}.get(name, name))
        said.append(text)
    if len(set(said)) > 1:
        fail(seed, 'similar:\n' + '\n'.join(said))
    # The archives alone, of which nothing is unpacked.
    shutil.rmtree('judge/left')
    shutil.rmtree('judge/right')
    twindex(seed, '--db', 'judge.db', 'scan', '--archives', '--hash-all', 'judge')
    got = pairs(seed, a, b, names['A'][0], names['B'][0])
    if got != model(left, right):
        fail(seed, f'compare A B alone: {got}, not {model(left, right)}')
    shutil.rmtree('judge')
    os.remove('judge.db')

for seed in range(first, first + tries):
    judge(seed)
END
"$PYTHON" -S "$T/judge.py" || fail 'the judge disagrees'
