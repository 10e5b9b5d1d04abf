# SPDX-License-Identifier: MIT
# contained DIR --in NAME: lists what a listing does not claim to have; it is never status 0, and only equal digests make it 7.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/sub e
printf 'a\n' >d/a
printf 'bb\n' >d/sub/b
printf 'cccc\n' >d/c
: >d/empty
cp d/a e/
scan d e
run 2 contained d --in cloud:
err_has "nothing was imported as 'cloud'"
sum() { printf '%s' "$1" | "$PYTHON" -S -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())'; }
[ -n "$PYTHON" ] || skip 'no python3'
nl='
'
a=$(sum "a$nl") b=$(sum "bb$nl") c=$(sum "cccc$nl")
listing() {
	# Sizes and digests as given; names are other ones but for b.
	printf '[{"Path":"x/A","Size":2,"IsDir":false%s},\n{"Path":"x/b","Size":3,"IsDir":false%s}%s]\n' "$1" "$2" "$3" >cloud.json
	touch -d '3 days ago' cloud.json
	run 0 import cloud.json --as cloud --replace
}
hash() { printf ',"Hashes":{"sha256":"%s"}' "$1"; }

# Without digests of ours: b by size and name alone, a may be there as A, c is nowhere.
listing "$(hash "$a")" "$(hash "$b")" ''
run 1 contained d --in cloud:
echo "$T/work/d/c" | out
err_has 'of 3 files, 0 are in cloud: as lsjson said 3 d 0 h ago; 1 by size and name alone, 1 may be there under another name, 1 nowhere there: claims (import), by which nothing goes'
err_has "2 files have no digest to compare with claims: 'twindex digest' computes it"
# Where nothing is missing, what was not compared is not judged.
listing "$(hash "$a")" "$(hash "$b")" ',{"Path":"x/c","Size":5,"IsDir":false}'
run 3 contained d --in cloud:
out </dev/null
run 3 contained d --in cloud: --json
out_has '"files":[],"verdict":"not_judged","exit":3,"not_judged":{"unknown":3}'
run 2 contained d --in cloud: --in cloud:
err_has 'stands there twice'
run 2 contained d --in cloud
err_has "'cloud' is no name of claims with ':' behind it"
run 2 contained d e --in cloud:
err_has 'contained needs one directory beside --in NAME:'
mkdir far
"$TWINDEX" scan -d "$T/far.db" far >"$T/out" 2>&1 || fail "no other index: $?"
run 2 contained d --in cloud: --with "$T/far.db"
run 2 contained d --in cloud: --relative
run 2 contained nosuch --in cloud:
run 2 contained d
err_has 'contained needs two directories'

"$TWINDEX" info --json | grep -q '"digests"' || fail 'info says nothing of digests'
if "$TWINDEX" digest d >"$T/out" 2>"$T/err"; then
	# c is there by size and name alone, whatever its digest is.
	run 3 contained d --in cloud:
	err_has '2 are in cloud: as lsjson said 3 d 0 h ago (sha256); 1 by size and name alone, 0 nowhere there'
	# All with equal digests: claimed, be there a copy here or not.
	listing "$(hash "$a")" "$(hash "$b")" ",{\"Path\":\"y\",\"Size\":5,\"IsDir\":false$(hash "$c")}"
	run 7 contained d --in cloud:
	out </dev/null
	run 7 contained d --in cloud: --json
	out_has '"files":[],"verdict":"claimed","exit":7,"not_judged":{}'
	run 7 contained d/sub/b --in cloud:
	run 7 contained d --in cloud: -q
	err_has 'of 3 files, 3 are in cloud:'
	# A digest that differs is another file, whatever its name is; one of several places is enough.
	listing "$(hash "$a")" "$(hash "$c")" ''
	run 1 contained d --in cloud:
	printf '%s\n' "$T/work/d/c" "$T/work/d/sub/b" | out
	err_has '1 is in cloud:'
	# Lists of sums know no sizes.
	printf '%s  y\n%s  z\n' "$b" "$c" >sums
	run 0 import sums --as nas
	run 7 contained d --in cloud: --in nas:
	err_has '1 is in cloud: as lsjson said 3 d 0 h ago (sha256), 2 are in nas: as sums said'
	run 1 contained d --in nas:
	echo "$T/work/d/a" | out
	# What was written since has no digest, and may be any of them.
	printf 'aa\n' >d/a
	run 3 contained d --in nas:
	scan d e
	run 3 contained d --in nas:
	out </dev/null
	err_has '1 may be there under another name, 0 nowhere there'
	# New files were not judged.
	printf 'new' >d/new
	run 3 contained d --in nas:
fi
# A claim changes no other answer, and is no licence.
run 1 contained d e
run 1 rm -n d/c
