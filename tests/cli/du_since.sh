# SPDX-License-Identifier: MIT
# du --since: by how much each subdirectory has grown between two runs, by path; and the first lines of diff.
. "$srcdir/tests/cli/lib.sh"

mkdir -p t/a t/b t/c/deep t/keep
printf '%1000s' '' >t/a/z
printf '%500s' '' >t/c/deep/r
printf 'own' >t/own
printf 'k' >t/keep/k
printf 'b' >t/b/b
scan t
# What grows, what moves from one to another with its directory, what goes, what is new; keep stays.
printf '%3000s' '' >t/a/new
mv t/c/deep t/b/
rm t/own
mkdir -p t/fresh/x t/none
printf '%200s' '' >t/fresh/x/f
scan t
run 0 du --since 1 --bytes t
out <<END
grown                                            size
+3000  ########################################  4000  a/
 +500  #######                                    501  b/
 +200  ###                                        200  fresh/
   -3  #                                            0  ./
 -500  #######                                      0  c/
+3197                                            4702  $T/work/t/
END
err_has 'grown, or shrunk, since the state after scan 1, '
run 0 du --since 1 --json t/b
out_has '{"path":"'"$T"'/work/t/b/deep","kind":"dir","depth":1,"grown":500,"grown_files":1,"files":1,"bytes":500,'
out_has '"total":{"path":"'"$T"'/work/t/b","grown":500,"grown_files":1,'
run 0 du --since 1 --format csv t
sed 1q "$T/out" | tr -d '\r' | grep -q ',grown,grown_files$' || fail "columns: $(sed 1q "$T/out")"
run 0 du --format csv t
! grep -q grown "$T/out" || fail 'grown without --since'
run 0 du --since 1 --sort name --bytes t
sed -n '2s/.* //p' "$T/out" | grep -qx 'a/' || [ "$(awk 'NR == 2 { print $NF }' "$T/out")" = ./ ] || fail 'not by name'
run 0 du --since 1 --top 1 --bytes t
out_has '... 4 more'
# Nothing has, as far as a scan knows: only the total.
run 3 du --since 2 --bytes t
[ "$(wc -l <"$T/out")" = 2 ] || fail 'lines of what did not grow'
out_has '0  '
run 0 du --since 0 --bytes t
out_line "+4702 .* $T/work/t/"
# What is excluded grows nothing.
run 0 du --since 1 --bytes -x t/a t
out_line " *+197 .*/work/t/"

run 2 du --since 9 t
err_has 'there is no run 9'
run 2 du --since yesterday t
err_has "'yesterday' is neither the number of a scan nor an age such as 7d"
run 2 du --sort grown t
err_has '--sort grown is about --since SCAN'
run 2 waste --since 1 t
run 2 tree --sort grown t

# A root that was scanned first since, and one that was not scanned since, are not known.
mkdir u
printf 'first' >u/f
scan u
run 3 du --since 1 --bytes .
err_has "'$T/work/u' was scanned first since then: all of it counts as grown"
out_line ' *+5 .* u/'
run 3 du --since 2 --bytes t
err_has "'$T/work/t' was not scanned since: what changed there is not known"
# Of an age: the last run that had ended by then, which was none.
run 3 du --since 7d --bytes t
err_has 'since the state before the first scan'
err_has 'no scan is as old as 7d: all that the first one found counts as grown'
# What options leave out is not counted as gone.
scan --exclude z t
run 3 du --since 1 --bytes t/a
out_line ' *+3000 .* ./'
err_has '1 file was left out by options of a scan, and not counted'
# A history that does not reach back.
scan --history 0 t
run 3 du --since 1 t
err_has 'this index keeps no history'

# The first screen of diff.
if command -v script >/dev/null; then
	rm "$TWINDEX_DB"
	rm -r t/a/new
	scan t
	printf '%3000s' '' >t/a/new
	rm t/b/deep/r
	scan t
	LC_ALL=C.UTF-8 terminal 100 diff 1
	out_has '+2.4 KiB  grown in all, the most in:'
	out_has '+2.9 KiB  '
	out_has '-500 B  '
	sed -n 3p "$T/out" | grep -q 'grown in all' || fail "not first: $(cat "$T/out")"
	terminal 100 diff 1 --new
	out_lacks 'grown in all'
	run 1 diff 1
	out_lacks 'grown in all'
fi

# Trees that change at random, directories that move among them: as the sums of names on the disk say.  EVERY_KIND=1: more of them.
[ -n "$PYTHON" ] || exit 0
rm -r t "$TWINDEX_DB"
cat >judge.py <<'END'
import json, os, random, shutil, subprocess, sys
rng = random.Random(int(sys.argv[1]))
top = os.path.join(os.getcwd(), 't')
os.mkdir(top)
def dirs():
    return [d for d, _, _ in os.walk(top)]
def files():
    return [os.path.join(d, f) for d, _, fs in os.walk(top) for f in fs]
def name():
    return 'n%d' % rng.randrange(12)
def change():
    d = rng.choice(dirs())
    path = os.path.join(d, name())
    kind = rng.randrange(6)
    if kind == 0 and not os.path.exists(path):
        os.mkdir(path)
    elif kind <= 2 and not os.path.isdir(path):
        with open(path, 'wb') as f:
            f.write(bytes(rng.randrange(256) for _ in range(rng.randrange(400))))
    elif kind == 3 and files():
        os.remove(rng.choice(files()))
    elif kind == 4 and d != top and not os.path.exists(path) and not path.startswith(d + '/'):
        os.rename(d, path)
    elif kind == 4 and d != top:
        to = os.path.join(rng.choice(dirs()), name())
        if not os.path.exists(to) and not (to + '/').startswith(d + '/'):
            os.rename(d, to)
    elif kind == 5 and d != top and rng.randrange(4) == 0:
        shutil.rmtree(d)
def sums(of):
    got = {}
    for d, _, fs in os.walk(of):
        for f in fs:
            path = os.path.join(d, f)
            child = os.path.relpath(path, of).split('/')[0] if d != of else '.'
            n, size = got.get(child, (0, 0))
            got[child] = (n + 1, size + os.path.getsize(path))
    return got
def run(*args):
    return subprocess.run([os.environ['TWINDEX'], *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
def below(states, of):
    return states.get(of, {})
states = []
for scan in range(4):
    for _ in range(rng.randrange(5, 60)):
        change()
    assert run('scan', '-q', '--racy-window', '0s', 't').returncode == 0
    states.append({d: sums(d) for d in dirs()})
for since in range(4):
    for of in [top] + rng.sample(dirs(), min(3, len(dirs()))):
        before, after = states[since].get(of, {}), states[3][of]
        want = {}
        for child in set(before) | set(after):
            grown = (after.get(child, (0, 0))[0] - before.get(child, (0, 0))[0], after.get(child, (0, 0))[1] - before.get(child, (0, 0))[1])
            if grown != (0, 0):
                want[child] = grown
        doc = json.loads(run('du', '--json', '--since', str(since + 1), of).stdout)
        got = {'.' if d['kind'] == 'files' else os.path.basename(d['path']): (d['grown_files'], d['grown']) for d in doc['dirs']}
        total = (sum(n for n, _ in want.values()), sum(b for _, b in want.values()))
        assert got == want, (since, of, got, want)
        assert (doc['total']['grown_files'], doc['total']['grown']) == total, (since, of, doc['total'], total)
END
for seed in 1 ${EVERY_KIND:+2 3 4 5 6 7 8}; do
	rm -rf t "$TWINDEX_DB"
	"$PYTHON" -S judge.py $seed || fail "seed $seed"
done
