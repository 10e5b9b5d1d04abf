# SPDX-License-Identifier: MIT
# at-risk --policy: which files have less copies, on less disks, than the config file asks for, by which line.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

mkdir -p photos/raw/deep docs loose trash
printf 'twice' >photos/two
cp photos/two loose/two
printf 'alone' >photos/one
printf 'only raw' >photos/raw/r
printf 'deeper' >photos/raw/deep/d
printf 'linked' >photos/l1
ln photos/l1 photos/l2
printf 'a text' >docs/text
: >photos/empty
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG
scan_all() { scan photos docs loose; }
: >"$TWINDEX_CONFIG"
scan_all

# No policy, or one that can't be read.
run 2 at-risk --policy
err_has 'the config file has no [policy DIR]'
while IFS='|' read -r text why; do
	printf "$text" >"$TWINDEX_CONFIG"
	run 2 at-risk --policy
	err_has "$why"
done <<'END'
[policy photos]\ncopies = 2\n|config:2: [policy DIR]: 'photos' is not an absolute path
[policy /x]\ncopies = many\n|config:2: 'copies' of a policy is a number from 0 to 20
[policy /x]\ncopies = 21\n|config:2: 'copies' of a policy is a number from 0 to 20
[policy /x]\ncopies\n|config:2: 'copies' of a policy is a number from 0 to 20
[policy /x]\nfriends = 2\n|config:2: a policy has no 'friends'
[policy /x]\ncopies = 2\ncopies = 3\n|config:3: the policy of '/x' has 'copies' already
[policy]\ncopies = 2\n|[policy] is no command
END

# Links are one copy; of nested trees the inner one's line holds; where no line holds nothing is asked.
cat >"$TWINDEX_CONFIG" <<END
[policy $T/work/photos]
copies = 2
[policy $T/work/photos/raw]
copies = 1
[policy $T/work/docs]
volumes = 1
END
run 1 at-risk --policy --files
out <<END
    unique  $T/work/photos/l1 (line 2: copies = 2, and it has 1)
    unique  $T/work/photos/l2 (line 2: copies = 2, and it has 1)
    unique  $T/work/photos/one (line 2: copies = 2, and it has 1)
END
run 1 at-risk --policy
out_line "$T/config:2: $T/work/photos/*: copies = 2: 3 files break it, 11 B"
out_line "$T/config:4: $T/work/photos/raw/*: copies = 1: holds"
out_line "$T/config:6: $T/work/docs/*: volumes = 1: holds"
run 1 at-risk --policy --json
out_has '"policy":[{"line":2,"tree":"'"$T"'/work/photos","rule":"copies","least":2,"files":3,"bytes":11,"judged":true},'
run 1 at-risk --policy -0
[ "$(tr '\0' '\n' <"$T/out" | sed 1q)" = "$T/work/photos/l1" ] || fail 'other files'
# Of lines about other directories nothing is said.
run 0 at-risk --policy docs
printf '%s\n' "$T/config:6: $T/work/docs: volumes = 1: holds" | out
run 0 at-risk --policy -x photos
out_lacks photos
run 0 at-risk --policy photos/raw
run 1 at-risk --policy photos docs
run 2 at-risk --policy loose
err_has 'no [policy DIR] of the config file is about that'
run 1 at-risk --policy --min-size 5 --files
out_has photos/one
run 0 at-risk --policy --min-size 7
run 2 at-risk --policy --one-volume
err_has "--policy asks for disks by lines 'volumes = 2': not with --one-volume"
run 2 at-risk --policy --reflinks
run 2 at-risk --policy --elsewhere
run 2 at-risk --policy --in docs
err_has '--policy counts copies wherever they are: not with --in'
run 1 at-risk --policy --online
run 2 at-risk --policy --no-config
run 0 info
out_has "policy      $T/work/photos: copies = 2"

# A copy in a trash is none, and one that has changed is not known.
mkdir -p loose/.Trash-0/files
cp photos/one loose/.Trash-0/files/one
cp photos/l1 loose/l
scan_all
run 1 at-risk --policy --files
out_line "    unique  $T/work/photos/one (line 2: copies = 2, and it has 1)"
cp photos/one loose/one
scan_all
run 0 at-risk --policy
out_line "$T/config:2: $T/work/photos/*: copies = 2: holds"
printf 'other one' >loose/one
run 3 at-risk --policy
out_line "$T/config:2: $T/work/photos/*: copies = 2: no file is known to break it"
printf 'alone' >loose/one
scan_all

# A tree that the index does not have, and one that is gone, are not judged.
printf '[policy %s]\ncopies = 2\n' "$T/work/never" >>"$TWINDEX_CONFIG"
run 3 at-risk --policy
err_has 'not judged: 1 directory'
run 3 at-risk --policy -v
err_has "$T/work/never"
mkdir never
printf gone >never/f
scan never
rm -r never
run 3 at-risk --policy -v
err_has "$T/work/never/ (the policy is about it, and it is not there)"

# A config file that everybody may write to is no policy, and says so.
chmod 666 "$TWINDEX_CONFIG"
run 2 at-risk --policy
chmod 644 "$TWINDEX_CONFIG"

# Copies and disks, here and in the drawer.
own_mounts
need_linux file systems by their ids
mkdir m1 m2
mkdir h1 h2
for i in 1 2; do
	mount -t tmpfs none h$i || skip 'no tmpfs here'
	disk h$i/image m$i
done
cp -r photos m1/photos
mkdir m2/backup
cp photos/two m1/photos/two
scan m1 m2
cat >"$TWINDEX_CONFIG" <<END
[policy $T/work/m1/photos]
copies = 2
volumes = 3
offline = 1
END
run 1 at-risk --policy --files
out_has "$T/work/m1/photos/one (line 3: volumes = 3, and it has 2; line 4: offline = 1, and it has 0)"
cp -r photos/. m2/backup
scan m2
run 1 at-risk --policy
out_line "$T/config:3: $T/work/m1/photos/*: volumes = 3: holds"
out_has 'offline = 1: '
# In the drawer the copies on it are what the last line asks for.
umount m2
run 0 at-risk --policy
out_line "$T/config:3: $T/work/m1/photos/*: volumes = 3: holds"
out_line "$T/config:4: $T/work/m1/photos/*: offline = 1: holds"
# What leaves a doubt is named, not the copy in the drawer, which counts.
if [ -n "$SQLITE3" ]; then
	cp "$TWINDEX_DB" "$T/unread.db"
	"$SQLITE3" "$T/unread.db" "INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, head, hash, racy, verified, error) SELECT dir, 'unread', NULL, size, blocks, volume, 1, 1, mtime, mtime_nsec, ctime,
		ctime_nsec, NULL, NULL, 0, NULL, 13 FROM file WHERE name = 'd' ORDER BY dir LIMIT 1" || fail 'no row of an unread file'
	cp "$TWINDEX_CONFIG" "$T/config.before"
	printf '[policy %s]\ncopies = 9\n' "$T/work/m1/photos/raw/deep" >"$TWINDEX_CONFIG"
	TWINDEX_DB=$T/unread.db run 3 at-risk --policy -v
	err_has "$T/work/m1/photos/raw/deep/d (a file of its size was not read)"
	cp "$T/config.before" "$TWINDEX_CONFIG"
fi
# Without the drawer: its copies are unknown, and no line can ask for them.
run 2 at-risk --policy --online
err_has "--online takes what is offline not to exist: line 4, 'offline = 1', could never hold"
sed '/^offline/d' "$TWINDEX_CONFIG" >"$T/without" && cp "$T/without" "$TWINDEX_CONFIG"
run 1 at-risk --policy --online --files
out_has "$T/work/m1/photos/one (line 3: volumes = 3, and it has 2)"
run 0 at-risk --policy
printf 'offline = 1\n' >>"$TWINDEX_CONFIG"
# The tree itself in the drawer: nothing of it can be judged.
umount m1
run 3 at-risk --policy

# A view shows the files of a disk once more: no copy, and no disk.
if command -v bindfs >/dev/null; then
	mkdir view real
	printf 'seen twice' >real/f
	bindfs real view 2>/dev/null || skip 'no FUSE here'
	rm "$TWINDEX_DB"
	scan real view
	printf '[policy %s]\ncopies = 2\n[policy %s]\nvolumes = 2\n' "$T/work/real" "$T/work/view" >"$TWINDEX_CONFIG"
	run 1 at-risk --policy --files
	out_line "    unique  $T/work/real/f (line 2: copies = 2, and it has 1)"
	out_line "    unique  $T/work/view/f (line 4: volumes = 2, and it has 1)"
	cp real/f loose/f
	scan loose
	run 1 at-risk --policy --files
	out_lacks real/f
	umount view
fi

# Trees at random, judged by what lies on the disks: hard links, and disks that go into the drawer.
[ -n "$PYTHON" ] || exit 0
cat >judge.py <<'END'
import json, os, random, subprocess, sys
rng = random.Random(int(sys.argv[1]))
disks = sys.argv[2:]
top = os.getcwd()
paths = []
for disk in disks:
    for d in ('p', 'p/in', 'q'):
        os.makedirs(os.path.join(disk, d), exist_ok=True)
        for i in range(rng.randrange(6)):
            path = os.path.join(disk, d, 'f%d' % i)
            same = [p for p in paths if p.startswith(disk + '/')]
            if same and rng.randrange(4) == 0:
                os.link(rng.choice(same), path)
            else:
                with open(path, 'w') as f:
                    f.write('content %d' % rng.randrange(8))
            paths.append(path)
files = {p: (open(p).read(), os.stat(p).st_dev, os.stat(p).st_ino) for p in paths}
least = {(d, k): rng.randrange(4) for d in ('p', 'p/in') for k in ('copies', 'volumes', 'offline') if d == 'p' or rng.randrange(2)}
with open(os.environ['TWINDEX_CONFIG'], 'w') as f:
    for d in ('p', 'p/in'):
        f.write('[policy %s/%s/%s]\n' % (top, disks[0], d))
        for (at, k), n in least.items():
            if at == d:
                f.write('%s = %d\n' % (k, n))
def run(*args):
    return subprocess.run([os.environ['TWINDEX'], *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
assert run('scan', '-q', '--racy-window', '0s', *disks).returncode == 0
away = [d for d in disks[1:] if rng.randrange(2)]
for d in away:
    subprocess.check_call(['umount', d])
want = {}
for p, (content, dev, inode) in files.items():
    if not p.startswith(disks[0] + '/p'):
        continue
    copies = {(v, i): q.split('/')[0] for q, (c, v, i) in files.items() if c == content}
    has = {'copies': len(copies), 'volumes': len(set(copies.values())), 'offline': sum(d in away for d in copies.values())}
    asked = {k: least.get(('p/in', k), least[('p', k)]) if p.startswith(disks[0] + '/p/in') else least[('p', k)] for k in has}
    broken = {(k, has[k]) for k in has if has[k] < asked[k]}
    if broken:
        want[os.path.join(top, p)] = broken
r = run('at-risk', '--policy', '--files', '--json')
doc = json.loads(r.stdout)
got = {}
for f in doc['files']:
    parts = f['why'].split('; ')
    got[f['path']] = {(p.split(': ')[1].split(' = ')[0], int(p.split()[-1])) for p in parts}
assert got == want, (got, want, least, away)
assert r.returncode == (1 if want else 0), r
END
# All of them lie in memory: copies there count for what lies there, too.
mkdir m0 h0
mount -t tmpfs none h0
for seed in 1 2 3 4 5 6; do
	in_turn || continue
	for i in 0 1 2; do
		umount m$i 2>/dev/null
		rm -f h$i/image
		disk h$i/image m$i
	done
	rm -f "$TWINDEX_DB"
	"$PYTHON" -S judge.py $seed m0 m1 m2 || fail "seed $seed"
done
