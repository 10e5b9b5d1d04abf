# SPDX-License-Identifier: MIT
# The sets of a real directory are those of jdupes, fdupes and rdfind, where
# they are installed.
#
#	PEER_TREE=DIR   compare there, as .ci/run does in all of /usr/share (default: a part of it that is not too large)

[ -n "$PYTHON" ] || { echo "no python3"; exit 77; }
for peer in jdupes fdupes rdfind; do
	# One of them will do for each commit.
	[ -z "${peers:-}" ] || [ -n "${EVERY_KIND:-}" ] || break
	command -v $peer >/dev/null && peers="${peers:-} $peer"
done
[ -n "${peers:-}" ] || { echo "neither jdupes nor fdupes nor rdfind"; exit 77; }

tree=${PEER_TREE:-}
for dir in /usr/share /usr/share/doc /usr/include /etc; do
	[ -z "$tree" ] && [ -d $dir ] || continue
	n=$(find $dir -xdev -type f 2>/dev/null | wc -l)
	[ "$n" -gt 100 ] && [ "$n" -lt 10000 ] && tree=$dir
done
[ -n "$tree" ] || { echo "no directory to compare"; exit 77; }

T=$(mktemp -d) || exit 99
trap 'rm -rf "$T"' EXIT
tree=$(cd "$tree" && pwd -P) || exit 99

# What can't be read is read by nobody: status 3.
status=0
"$TWINDEX" --db "$T/index.db" scan -q --one-file-system "$tree" 2>"$T/err" || status=$?
[ $status -eq 0 ] || [ $status -eq 3 ] || { cat "$T/err"; exit 1; }
# Hard links are names like others here, as -H makes them for all.
"$TWINDEX" --db "$T/index.db" report -H --format fdupes >"$T/twindex" || exit 1

failed=0
for peer in $peers; do
	case $peer in
	jdupes) jdupes -r -H -1 "$tree" >"$T/$peer" 2>/dev/null ;;
	fdupes) fdupes -r -H -n -q "$tree" >"$T/$peer" 2>/dev/null ;;
	rdfind) rdfind -removeidentinode false -checksum sha256 -outputname "$T/rdfind.txt" "$tree" >/dev/null 2>&1 ;;
	esac
	[ $peer != rdfind ] || "$PYTHON" -S - "$T/rdfind.txt" >"$T/rdfind" <<'END_PYTHON'
import sys
sets = {}
for line in open(sys.argv[1], 'rb'):
    if not line.startswith(b'#'):
        parts = line.rstrip(b'\n').split(b' ', 7)
        sets.setdefault(abs(int(parts[1])), []).append(parts[7])
for s in sets.values():
    sys.stdout.buffer.write(b'\n'.join(s) + b'\n\n')
END_PYTHON
	"$PYTHON" -S - "$T/twindex" "$T/$peer" $peer "$tree" <<'END_PYTHON' || failed=1
import sys

def sets(name):
    with open(name, 'rb') as f:
        return {frozenset(s.strip(b'\n').split(b'\n')) for s in f.read().split(b'\n\n') if s.strip(b'\n')}

ours, theirs = sets(sys.argv[1]), sets(sys.argv[2])
print('%s: %d sets in %s, %s %d' % (sys.argv[4], len(ours), 'twindex', sys.argv[3], len(theirs)))
for what, these in (('only twindex', ours - theirs), ('only ' + sys.argv[3], theirs - ours)):
    for s in sorted(these, key=sorted)[:5]:
        print('%s: %r' % (what, sorted(s)))
sys.exit(ours != theirs)
END_PYTHON
done
exit $failed
