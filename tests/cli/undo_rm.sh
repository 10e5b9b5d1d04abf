# SPDX-License-Identifier: MIT
# undo brings removed files back: content, mode, times and attributes; also 1000 of them, and those whose directory has gone.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/sub/deep e
i=0
while [ $i -lt 333 ]; do
	i=$((i + 1))
	for f in d/$i d/sub/$i d/sub/deep/$i e/$i; do
		printf 'content %s' $i >$f
	done
done
printf 'odd' >d/odd
cp d/odd e/odd
chmod 4751 d/odd
touch -d '1969-12-31 23:59:58.5' d/odd
chmod 600 d/1
touch -d '2001-02-03 04:05:06.789012345' d/2
is_linux && setfattr -n user.note -v 'a b,=c' d/3 2>/dev/null || setfattr=no
[ "$(id -u)" != 0 ] || chown 65534:65533 d/4
state() { (cd d && find . -type f -printf '%p %m %U %G %T@ %s %n\n' | LC_ALL=C sort && find . -type f -exec cksum {} + | LC_ALL=C sort); }
scan .
state >"$T/before"
run 0 rm -r d --yes --prune-empty
out_has '1,000 files removed'
[ ! -e d/sub ] || fail 'not pruned'
run 0 undo -n
out_has 'would undo: '
out_has 'at most 1,000 acts would be undone'
[ ! -e d ] || [ -z "$(ls d)" ] || fail '-n has undone'
run 0 undo
out_has '1,000 acts undone'
err_lacks 'not in the index any more'
state >"$T/after"
cmp "$T/before" "$T/after" || fail "$(diff "$T/before" "$T/after" | head)"
[ "${setfattr:-}" = no ] || [ "$(getfattr --only-values -n user.note d/3)" = 'a b,=c' ] || fail 'the attribute is lost'
[ "$(ls -A d | grep -c '^\.')" = 0 ] || fail "left: $(ls -A d | grep '^\.')"
run 0 check
run 0 log
out_has "$T/work/d/odd  (undone)"
run 1 undo
out_has '0 acts undone'

# Their rows are true: nothing is read again.
scan .
run 0 rm d/1 d/2 --yes
run 0 rm d/3 --yes
run 0 undo 2
out_has "undone: $T/work/d/3 (removed)"
out_has '2 acts undone'
[ -e d/3 ] && [ -e d/2 ] && [ ! -e d/1 ] || fail 'not the last two acts'
run 0 check
run 0 undo 1
run 0 scan -n .
out_has '0 new, 0 changed, 0 gone, 1,334 unchanged'
run 2 undo 0
# A path is there, or the journal has it; else it may be a number with a slip.
mkdir x
run 1 undo x
out_has '0 acts undone'
rmdir x
for typo in x 1.5 1x 99999999999999999999; do
	run 2 undo d $typo
	err_has "'$T/work/$typo' does not exist, and the journal has no act there"
	run 2 undo -n $typo
done
# A directory names an older run: what later ones did stays.
rm -rf p q r
mkdir p q r
for f in 1 2 3; do
	echo "content $f" | tee p/$f q/$f >r/$f
done
scan p q r
run 0 rm -r p --yes -q
run 0 rm -r q --yes -q
run 0 undo -n p
out_has 'at most 3 acts'
run 0 undo p/1
[ -e p/1 ] && [ ! -e p/2 ] && [ ! -e q/1 ] || fail "back: $(ls p q)"
run 0 undo p
out_has '2 acts undone'
[ -e p/3 ] && [ ! -e q/1 ] || fail "back: $(ls p q)"
run 1 undo p
run 0 undo
[ -e q/3 ] || fail "back: $(ls q)"
run 0 check
