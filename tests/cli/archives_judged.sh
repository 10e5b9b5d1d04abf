# SPDX-License-Identifier: MIT
# contained of archives, both ways, is what an unpacking by other programs and SHA-256 say; so it stays when archives are damaged:
# nothing is said to be there that is not, no process dies, and each run ends.  TRIES=N damages N archives in place of 30, or of 240 with EVERY_KIND=1.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
[ -n "$PYTHON" ] || skip 'no python'
need bsdtar zip

cat >"$T/judge.py" <<'END'
import hashlib, json, os, random, subprocess, tarfile, zipfile
from archives_damaged import damage_of, fail, run

tries = int(os.environ.get('TRIES', '240' if os.environ.get('EVERY_KIND') else '30'))
chance = random.Random(int(os.environ.get('SEED', '17')))

def digest(data):
    return hashlib.sha256(data).digest()

def files_below(top):
    found = {}
    for place, _, names in os.walk(top):
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as f:
                data = f.read()
            if data:
                found[path] = digest(data)
    return found

def unpack(path):
    """Names and SHA-256 of members that are not empty, by Python; what can't be read ends it."""
    members, whole = [], True
    try:
        if '.zip' in path:
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    try:
                        data = archive.read(entry)
                    except Exception:
                        whole = False
                        continue
                    if data and not entry.is_dir():
                        members.append((entry.filename, digest(data)))
        else:
            with tarfile.open(path) as archive:
                for entry in archive:
                    if entry.isreg():
                        data = archive.extractfile(entry).read()
                        if data:
                            members.append((entry.name, digest(data)))
    except Exception:
        whole = False
    return members, whole

def make(top, n):
    os.makedirs(top)
    for i in range(n):
        place = os.path.join(top, *chance.choices(['a', 'b', 'c d', 'ü'], k=chance.randrange(3)))
        os.makedirs(place, exist_ok=True)
        kind = chance.randrange(4)
        data = b'' if kind == 0 and i % 5 == 0 else chance.randbytes(chance.randrange(1, 60)) if kind < 2 else \
            b'same %d ' % chance.randrange(6) * chance.randrange(1, 900) if kind == 2 else chance.randbytes(chance.randrange(1, 9000))
        with open(os.path.join(place, f'f{i}'), 'wb') as f:
            f.write(data)

def pack(top, names, path):
    options = {'.zip': ['--format', 'zip'], '.tar': ['--format', 'pax'], '.tgz': ['-z', '--format', 'gnutar'], '.txz': ['-J']}[path[-4:]]
    subprocess.run(['bsdtar', *options, '-cf', path, '-C', top, *names], check=True, env={**os.environ, 'LC_ALL': 'C.UTF-8'})

def ask(archive):
    """What is missing of an archive, and the status."""
    ended = run('contained', archive, 'files', '--json')
    return {f['path'].split('!/', 1)[1] for f in json.loads(ended.stdout)['files'] if '!/' in f['path']}, ended.returncode

make('files', 60)
make('other', 20)
everything = sorted(os.path.relpath(p, 'files') for p in files_below('files'))
foreign = sorted(os.path.relpath(p, 'other') for p in files_below('other'))
os.mkdir('archives')
for n, kind in enumerate(['.zip', '.tar', '.tgz', '.txz'] * 3):
    pack('files', chance.sample(everything, 25), f'archives/in{n}{kind}')
    if n % 3 == 0:
        os.makedirs('mixed/files', exist_ok=True)
        subprocess.run(['cp', '-r', 'files/.', 'other/.', 'mixed/files/'], check=True)
        pack('mixed/files', chance.sample(everything, 10) + chance.sample(foreign, 4), f'archives/mixed{n}{kind}')
subprocess.run(['rm', '-r', 'mixed', 'other'], check=True)
pack('files', everything, 'archives/all.zip')
run('scan', '--archives', '--racy-window', '0s', '.', statuses=(0,))

have = files_below('files')
contents = set(have.values())
n_asked = 0
for name in sorted(os.listdir('archives'))[::1 if os.environ.get('EVERY_KIND') else 3]:
    members, whole = unpack('archives/' + name)
    if not whole:
        fail(f'{name}: Python cannot read it')
    missing, status = ask('archives/' + name)
    want = {m for m, d in members if d not in contents}
    if missing != want or status != (1 if want else 0):
        fail(f'{name}: missing {sorted(missing)}, but {sorted(want)}; status {status}')
    # And the reverse.
    ended = run('contained', 'files', '--in', 'archives/' + name, '--json')
    lacks = {f['path'] for f in json.loads(ended.stdout)['files']}
    inside = {d for _, d in members}
    want = {os.path.abspath(p) for p, d in have.items() if d not in inside}
    if lacks != want or ended.returncode != (1 if want else 0):
        fail(f'files in {name}: {sorted(lacks ^ want)}; status {ended.returncode}')
    n_asked += 2
if json.loads(run('contained', 'files', '--in', 'archives/all.zip', '--json').stdout)['exit'] != 0:
    fail('all.zip does not have all')

# Damaged ones: whatever is said of them, what other programs unpack and no file has is not there.
whole = {}
for name in os.listdir('archives'):
    with open('archives/' + name, 'rb') as f:
        whole[name] = f.read()
subprocess.run(['bsdtar', '--format', '7zip', '-cf', 'seven.7z', '-C', 'files', '.'], check=True, env={**os.environ, 'LC_ALL': 'C.UTF-8'})
subprocess.run(['bsdtar', '--format', 'iso9660', '-cf', 'disk.iso', '-C', 'files', 'a'], env={**os.environ, 'LC_ALL': 'C.UTF-8'})
subprocess.run(['bsdtar', '--format', 'newc', '-cf', 'x.cpio', '-C', 'files', '.'], check=True, env={**os.environ, 'LC_ALL': 'C.UTF-8'})
for name in ['seven.7z', 'disk.iso', 'x.cpio']:
    if os.path.exists(name):
        with open(name, 'rb') as f:
            whole[name] = f.read()
        os.unlink(name)
subprocess.run(['rm', '-r', 'archives'], check=True)
counts = {'opened': 0, 'yes': 0, 'no': 0, 'unsure': 0, 'checked': 0}
names = sorted(whole)
while tries > 0:
    os.mkdir('archives')
    batch = min(tries, 400)
    for i in range(batch):
        name = names[i % len(names)]
        with open(f'archives/{i:04}{name}', 'wb') as f:
            f.write(damage_of(whole[name], chance))
    tries -= batch
    ended = run('scan', '--racy-window', '0s', '.', statuses=(0,))
    if b'died' in ended.stderr:
        fail('a process died: ' + ended.stderr.decode(errors='replace'))
    counts['opened'] += batch
    for name in sorted(os.listdir('archives')):
        path = 'archives/' + name
        missing, status = ask(path)
        counts[{0: 'yes', 1: 'no', 3: 'unsure'}[status]] += 1
        if status != 0 or name[-3:] in ('.7z', 'iso', 'pio'):
            continue
        members, _ = unpack(path)
        for member, content in members:
            if content not in contents:
                fail(f'{name}: {member} is said to be there')
        counts['checked'] += 1
    subprocess.run(['rm', '-r', 'archives'], check=True)
run('check', statuses=(0,))
print(n_asked, 'questions about whole archives; damaged ones:', counts)
END
PYTHONPATH=$srcdir/tests/cli "$PYTHON" -SB "$T/judge.py" >"$T/judged" || { cat "$T/judged"; fail 'see above'; }
cat "$T/judged"
