# SPDX-License-Identifier: MIT
# The copy that stayed may have been renamed: a scan reads no more than the head of a file that is alone of its size, or
# whose head is; undo reads those of the size, and takes no other content.
. "$srcdir/tests/cli/lib.sh"

mkdir a b c
for f in 1 2 3; do
	head -c 9000 /dev/zero | tr '\0' "$f" >a/$f
	cp a/$f b/$f
done
cp b/[12] "$T"
scan a b c
run 0 rm -r b --yes
mv a/1 a/film
mv a/2 c/film
rm a/3
scan a b c
rows 'SELECT count(*) FROM file_view WHERE hash IS NOT NULL'
[ "$(cat "$T/out")" = 0 ] || fail 'read whole all the same'
run 1 undo
err_has "'$T/work/b/3' is not undone: no file with its content is left"
out_has '2 acts undone'
cmp b/1 "$T/1" && cmp b/2 "$T/2" || fail 'another content'
[ ! -e b/3 ] && [ -z "$(ls -A b | grep '^\.')" ] || fail "left: $(ls -A b)"
scan a b c
run 0 check
