# SPDX-License-Identifier: MIT
# What an overlay shows may be the files below it: no answer about directories takes either for a copy of the other.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

overlay
mkdir fs/lower/d real
# What counts as a copy of what lies in memory lies there, too, wherever the test does.
mount -t tmpfs none real || skip "no tmpfs here"
printf 'one' >fs/lower/d/1
scan fs/merged
# By itself an overlay is like any other.
run 1 redundant
mkdir fs/merged/copy
cp fs/merged/d/1 fs/merged/copy
scan fs/merged
run 0 redundant -0
printf '%s\0' "$T/work/fs/merged/copy" | out
run 0 at-risk
# To remove what lies below it removes what it shows.
rm -r fs/merged/copy
scan fs/merged fs/lower
need_linux file systems by type
run 1 redundant -0
out </dev/null
run 1 at-risk fs/lower -0
printf '%s\0' "$T/work/fs/lower/d/1" | out
run 1 at-risk fs/lower --one-volume -0
printf '%s\0' "$T/work/fs/lower/d/1" | out
run 3 contained fs/lower fs/merged
err_has 'A and B may be two views of the same files'
run 3 contained fs/lower/d/1 fs/merged/d
run 3 contained -q fs/merged fs/lower/d/1
run 3 compare fs/lower fs/merged
err_has 'A and B may be two views of the same files'
out_has 'as far as could be judged, B lacks nothing of A'
printf 'two' >fs/upper/2
scan fs/merged
run 1 contained fs/merged fs/lower
# If one lies in the other, it is about the other files.
cp fs/lower/d/1 fs/lower/other
scan fs
run 0 contained fs/lower/d fs/lower
run 3 contained fs/merged fs
rm fs/lower/other fs/upper/2
scan fs
# A real copy of both is one.
cp fs/lower/d/1 real
scan real
run 0 contained fs/lower real
run 0 compare fs/lower/d real
err_lacks 'same files'
run 0 at-risk fs/lower

# So it is where the overlay is in another index.
scan --db "$T/low.db" --secret-from "$TWINDEX_DB" fs/lower
scan --db "$T/merged.db" --secret-from "$TWINDEX_DB" fs/merged
run 3 compare --db "$T/low.db" fs/lower fs/merged --with "$T/merged.db"
err_has 'A and B may be two views of the same files'
run 3 contained --db "$T/low.db" fs/lower fs/merged --with "$T/merged.db"
scan --db "$T/merged.db" real
run 0 contained --db "$T/low.db" fs/lower real --with "$T/merged.db"
run 0 compare --db "$T/low.db" fs/lower/d real --with "$T/merged.db"
err_lacks 'same files'
