# SPDX-License-Identifier: MIT
# What an overlay shows may be the files below it: redundant and at-risk take neither for a copy of the other.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

overlay
mkdir fs/lower/d real
printf 'one' >fs/lower/d/1
scan fs/merged
# By itself an overlay is like any other.
run 1 redundant
mkdir fs/merged/copy
cp fs/merged/d/1 fs/merged/copy
scan fs/merged
run 0 redundant -0
printf '%s\0' "$T/work/fs/merged/d" | out
run 0 at-risk
# To remove what lies below it removes what it shows.
rm -r fs/merged/copy
scan fs/merged fs/lower
run 1 redundant -0
out </dev/null
run 1 at-risk fs/lower -0
printf '%s\0' "$T/work/fs/lower/d/1" | out
run 1 at-risk fs/lower --one-volume -0
printf '%s\0' "$T/work/fs/lower/d/1" | out
# A real copy of both is one.
cp fs/lower/d/1 real
scan real
run 0 at-risk fs/lower
