# SPDX-License-Identifier: MIT
# similar: a third twin may be one of the others, seen through an overlay: that is told, as of a pair.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
need_linux file systems by type

overlay
mkdir fs/lower/a fs/lower/b
printf 'one' >fs/lower/a/1
printf 'one' >fs/lower/b/1
# Both and what the overlay shows of them: the first pair may be two plain directories.
scan fs/lower fs/merged
run 3 similar
err_has 'not judged'
run 3 similar -v
err_has 'fs/merged/a'
err_has 'fs/merged/b'
run 0 similar fs/lower -x fs/merged
