# SPDX-License-Identifier: MIT
# What lies in a cache, which programs empty, is no copy of a file elsewhere that is to go; within caches it is one.
. "$srcdir/tests/cli/lib.sh"

mkdir -p home/.cache/thumbs home/.cache/models home/old home/new
printf 'a photo' >home/old/photo
cp home/old/photo home/.cache/thumbs/1
printf 'a letter' >home/old/letter
cp home/old/letter home/new
cp home/old/letter home/.cache/thumbs/2
printf 'a model' >home/.cache/models/1
cp home/.cache/models/1 home/.cache/models/2
scan .
run 1 rm -r home/old --yes
out_has 'old/photo (the last copy outside of caches)'
[ -e home/old/photo ] && [ ! -e home/old/letter ] || fail 'the photo is gone, or the letter not'
run 1 mark drop home/old/photo
err_has 'the last copy outside of caches'
run 1 rmsh home/old/photo
run 1 link --soft home/old/photo --yes
# By a hard link nothing is lost.
run 0 link -n --hard home/old/photo
# What lies there can go for what lies elsewhere, and for what lies there as well.
run 1 rm -r home/.cache --include-hidden --yes
out_has 'models/1 (the last copy)'
[ "$(find home/.cache -type f)" = home/.cache/models/1 ] || fail "left: $(find home/.cache -type f)"
[ -e home/old/photo ] && [ -e home/new/letter ] || fail 'something is lost'
