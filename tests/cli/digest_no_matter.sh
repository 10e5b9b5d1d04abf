# SPDX-License-Identifier: MIT
# Digests change no answer: what is a copy is told by the hashes of the index alone.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libgcrypt [0-9]' || skip 'built without libgcrypt'
[ -n "$SQLITE3" ] || skip 'no sqlite3'
mkdir a b
printf 'one' >a/1
cp a/1 b/1
printf 'two!' >a/2
printf 'alone' >b/3
ln b/3 b/4
scan -q .
answers()
{
	for command in 'report' 'report --json' 'ls a b' 'dups .' 'uniques .' 'file a/1' 'safe a' 'contained a b' 'compare a b' 'redundant' 'at-risk' \
		'similar' 'du .' 'waste .' 'tree .' 'where 1' 'rm -r -n --in b a' 'rm -r -n --json --in b a' 'sql SELECT*FROM(set_view)'; do
		echo "== $command"
		$by_name $command 2>&1
		echo "status $?"
	done
}
answers >"$T/without"
run 0 digest --kind md5,sha256,blake2b
answers >"$T/with"
diff "$T/without" "$T/with" || fail 'an answer has changed'
# Nor do wrong ones.
"$SQLITE3" "$TWINDEX_DB" "UPDATE digest SET digest = zeroblob(length(digest))"
answers >"$T/with"
diff "$T/without" "$T/with" || fail 'an answer has changed'
