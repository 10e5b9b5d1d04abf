# SPDX-License-Identifier: MIT
# What scan --nested-archives finds in archives in archives is what another program unpacks of both, and SHA-256 finds in files; when
# archives are damaged, outside or inside, what is beside those in them stays as without the option, nothing is said to be there
# that is not, and no process dies.  TRIES=N damages N archives in place of 60, or of 240 with EVERY_KIND=1; SEED=N plays others.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
[ -n "$PYTHON" ] || skip 'no python'
need bsdtar

cat >"$T/judge.py" <<'END'
import io, json, os, random, subprocess, tarfile, zipfile
from archives_damaged import damage_of, fail, run

tries = int(os.environ.get('TRIES', '240' if os.environ.get('EVERY_KIND') else '60'))
chance = random.Random(int(os.environ.get('SEED', '5')))
MARK = '!/'

def is_archive(name):
    base = os.path.basename(name)
    return base.endswith(('.zip', '.tar', '.tgz', '.tar.xz', '.7z', '.cpio', '.iso', '.deb')) and not base.startswith('.')

def unpack(data):
    """Names and bytes of the members that are files, by Python; None if it can't read one to its end."""
    members, whole = [], True
    try:
        if data[:2] == b'PK':
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for entry in archive.infolist():
                    try:
                        if not entry.is_dir():
                            members.append((entry.filename, archive.read(entry)))
                    except Exception:
                        whole = False
        elif data[:8] == b'!<arch>\n':
            at = 8
            while at + 60 <= len(data):
                size = int(data[at + 48:at + 58])
                members.append((data[at:at + 16].decode().strip().rstrip('/'), data[at + 60:at + 60 + size]))
                at += 60 + size + size % 2
        else:
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                for entry in archive:
                    if entry.isreg():
                        members.append((entry.name, archive.extractfile(entry).read()))
    except Exception:
        whole = False
    return members, whole

def put_ar(path, members):
    with open(path, 'wb') as f:
        f.write(b'!<arch>\n')
        for name, data in members:
            f.write(b'%-16s%-12d%-6d%-6d%-8s%-10d`\n' % (name.encode(), 0, 0, 0, b'100644', len(data)) + data + b'\n' * (len(data) % 2))

def pack(path, members):
    """Write an archive of the kind that its name says, by Python where that can; in haste, for the formats are the same."""
    if path.endswith('.zip'):
        with zipfile.ZipFile(path, 'w', chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)), compresslevel=1) as archive:
            for name, data in members:
                archive.writestr(name, data)
    elif path.endswith('.deb'):
        put_ar(path, members)
    elif path.endswith(('.7z', '.cpio', '.iso')):
        subprocess.run(['rm', '-rf', 'packed'], check=True)
        for name, data in members:
            os.makedirs(os.path.dirname('packed/' + name), exist_ok=True)
            with open('packed/' + name, 'wb') as f:
                f.write(data)
        kind = {'.7z': '7zip', 'cpio': 'newc', '.iso': 'iso9660'}[path[-4:] if path[-3:] != '.7z' else '.7z']
        subprocess.run(['bsdtar', '--format', kind, '-cf', path, '-C', 'packed', *sorted({n.split('/')[0] for n, _ in members})], check=True)
        subprocess.run(['rm', '-r', 'packed'], check=True)
    else:
        kind, haste = {'.tgz': ('gz', {'compresslevel': 1}), '.xz': ('xz', {'preset': 0}), '.tar': ('', {})}[os.path.splitext(path)[1]]
        with tarfile.open(path, 'w:' + kind, **haste) as archive:
            for name, data in members:
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))

def bytes_of(path):
    with open(path, 'rb') as f:
        return f.read()

pool = [b'%d, ' % i * chance.choice((1, 7, 600, 20000)) for i in range(16)] + [chance.randbytes(n) for n in (9, 1000, 70000, 150000)] + [b'']
os.mkdir('files')
for i, data in enumerate(chance.sample(pool, 11)):
    with open(f'files/f{i}', 'wb') as f:
        f.write(data)

def members(n):
    return [(chance.choice(('', 'd/', 'd/e/')) + f'm{i}', chance.choice(pool)) for i in range(n)]

def archive_of(suffix, depth):
    """The bytes of an archive, with archives in it down to a depth."""
    inside = members(chance.randrange(1, 7))
    for i in range(chance.randrange(0, 4) if depth > 0 else 0):
        kind = chance.choice(('.zip', '.tar', '.tgz', '.tar.xz', '.deb'))
        inside.insert(chance.randrange(len(inside) + 1), (f'in{i}{kind}', archive_of(kind, depth - 1)))
    if suffix == '.deb':
        inside = [(os.path.basename(n), d) for n, d in inside]
    pack('one' + suffix, inside)
    data = bytes_of('one' + suffix)
    os.unlink('one' + suffix)
    return data

def answers(index, where):
    """What the index has in each of the archives there, by their names.  One start answers for all."""
    found = {os.path.abspath(where + '/' + name): (name, []) for name in os.listdir(where)}
    ended = run('--db', index, 'ls', '--json', *found)
    for f in json.loads(ended.stdout)['files']:
        if 'archive' in f:
            found[f['archive']][1].append((f['path'][len(f['archive'] + MARK):], f))
    return dict(found.values())

os.mkdir('archives')
kinds = ('.zip', '.tar', '.tgz', '.tar.xz', '.deb')
for i in range(15):
    with open(f'archives/a{i:02}{kinds[i % 5]}', 'wb') as f:
        f.write(archive_of(kinds[i % 5], 2))
for index, option in (('nested.db', '--nested-archives'), ('plain.db', '--archives')):
    run('--db', index, 'scan', option, '--hash-all', '--racy-window', '0s', 'files', 'archives', statuses=(0,))

contents = {d for d in map(bytes_of, (os.path.join('files', n) for n in os.listdir('files'))) if d}
contents |= {bytes_of('archives/' + n) for n in os.listdir('archives')}
compared, nested = 0, answers('nested.db', 'archives')
for name in sorted(os.listdir('archives')):
    want = []
    for member, data in unpack(bytes_of('archives/' + name))[0]:
        want.append((member, len(data), False))
        if data and is_archive(member):
            inner, whole = unpack(data)
            if not whole:
                fail(f'{name}: Python cannot read {member}')
            want += [(member + MARK + n, len(d), True) for n, d in inner]
    got = [(n, f['size'], 'within' in f) for n, f in nested[name]]
    if got != want:
        fail(f'{name}: {got}\n{want}')
    every = []
    for member, data in unpack(bytes_of('archives/' + name))[0]:
        every.append(data)
        every += [d for _, d in unpack(data)[0]] if data and is_archive(member) else []
    for (member, f), data in zip(nested[name], every):
        state = 'empty' if not data else 'dup' if data in contents else 'unique'
        if f['state'] != state:
            fail(f'{name}: {member} is {f["state"]}, but {state}')
        compared += 1
    # And the questions.
    own = [(m, d) for m, d in unpack(bytes_of('archives/' + name))[0] if d]
    ended = run('--db', 'nested.db', 'contained', 'archives/' + name, 'files', '--json')
    there = {bytes_of('files/' + n) for n in os.listdir('files')}
    lacks = []
    for member, data in own:
        if data not in there:
            lacks.append(member)
            lacks += [member + MARK + n for n, d in unpack(data)[0] if is_archive(member) and d and d not in there]
    if bytes_of('archives/' + name) not in there:
        top = os.path.abspath('archives/' + name) + MARK
        missing = [f['path'] for f in json.loads(ended.stdout)['files']]
        if sorted(missing) != sorted(top + m for m in lacks) or ended.returncode != (1 if lacks else 0):
            fail(f'{name} in files: {missing}, but {lacks}: {ended.returncode}')
    held = set(every)
    ended = run('--db', 'nested.db', 'contained', 'files', '--in', 'archives/' + name, '--json')
    missing = {os.path.basename(f['path']) for f in json.loads(ended.stdout)['files']}
    lacks = {n for n in os.listdir('files') if bytes_of('files/' + n) and bytes_of('files/' + n) not in held}
    if missing != lacks:
        fail(f'files in {name}: {missing}, but {lacks}')

# Damaged ones: the inner archive alone, in a sound outer one; or the outer one, anywhere.
subprocess.run(['rm', '-r', 'archives'], check=True)
files = {bytes_of('files/' + n) for n in os.listdir('files')} - {b''}
counts = {'opened': 0, 'members': 0, 'within': 0, 'dup': 0, 'unknown': 0, 'checked': 0}
inner_kinds = ('.zip', '.tar', '.tgz', '.tar.xz', '.deb', '.7z', '.cpio', '.iso')
os.mkdir('damaged')
for index, option in (('nested.db', '--nested-archives'), ('plain.db', '--archives')):
    run('--db', index, 'scan', option, '--hash-all', '--racy-window', '0s', 'files', 'damaged', statuses=(0,))
number = 0
while tries > 0:
    batch = min(tries, 200)
    tries -= batch
    made, there = {}, set(files)
    for i in range(batch):
        kind = inner_kinds[number % len(inner_kinds)]
        inside = members(5) if kind != '.deb' else [(f'm{k}', chance.choice(pool)) for k in range(5)]
        pack('one' + kind, inside)
        inner = bytes_of('one' + kind)
        os.unlink('one' + kind)
        in_inner = chance.random() < 0.6
        outer = [('before', chance.choice(pool)), ('in' + kind, damage_of(inner, chance) if in_inner else inner), ('after', chance.choice(pool)),
                 ('sound.zip', sound) if number % 3 == 0 and number > 0 else ('last', chance.choice(pool))]
        suffix = chance.choice(kinds)
        pack('one' + suffix, outer)
        data = bytes_of('one' + suffix)
        os.unlink('one' + suffix)
        if number == 0:
            pack('sound.zip', members(4))
            sound = bytes_of('sound.zip')
            os.unlink('sound.zip')
        name = f'{number:05}{suffix}'
        made[name] = (outer if in_inner else None)
        data = data if in_inner else damage_of(data, chance)
        there.add(data)
        with open('damaged/' + name, 'wb') as f:
            f.write(data)
        number += 1
    for index in ('nested.db', 'plain.db'):
        ended = run('--db', index, 'scan', '--racy-window', '0s', 'files', 'damaged', statuses=(0,))
        if b'died' in ended.stderr or b'too long' in ended.stderr:
            fail('a process died: ' + ended.stderr.decode(errors='replace'))
    counts['opened'] += batch
    all_nested, all_plain = answers('nested.db', 'damaged'), answers('plain.db', 'damaged')
    for name, outer in made.items():
        nested, plain = all_nested[name], all_plain[name]
        beside = [(n, f['state'], f['size'], f['hash'] is None, f.get('why')) for n, f in nested if 'within' not in f]
        if beside != [(n, f['state'], f['size'], f['hash'] is None, f.get('why')) for n, f in plain]:
            fail(f'{name}: {beside}\n{plain}')
        counts['members'] += len(nested)
        counts['within'] += len(nested) - len(plain)
        if outer is None:
            continue
        for n, d in outer:
            at = [f for m, f in nested if m == n]
            if len(at) != 1 or at[0]['state'] != ('empty' if not d else 'dup' if d in there else 'unique'):
                fail(f'{name}: {n} beside a damaged one: {at}')
        # What another program reads of the damaged one, by its name, has the state of its content.
        names = [m for m, _ in nested]
        for n, d in outer:
            read = unpack(d)[0] if is_archive(n) else []
            for m, data in read:
                path = n + MARK + m
                f = dict(nested).get(path)
                if f is None or names.count(path) != 1 or [k for k, _ in read].count(m) != 1 or not data:
                    continue
                counts['checked'] += 1
                if f['state'] in ('dup', 'unknown'):
                    counts[f['state']] += 1
                if f['state'] == 'dup' and data not in there:
                    fail(f'{name}: {path} is said to be a file')
                if n == 'sound.zip' and f['state'] != ('dup' if data in there else 'unique'):
                    fail(f'{name}: {path}, which is sound, is {f["state"]}')
    for name in made:
        os.unlink('damaged/' + name)
for index in ('nested.db', 'plain.db'):
    run('--db', index, 'check', statuses=(0,))
print(compared, 'members of whole archives; damaged ones:', counts)
END
PYTHONPATH=$srcdir/tests/cli "$PYTHON" -SB "$T/judge.py" >"$T/judged" 2>&1 || { cat "$T/judged"; fail 'see above'; }
cat "$T/judged"
