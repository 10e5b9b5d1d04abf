# SPDX-License-Identifier: MIT
# refresh drops nothing that it can't look at: a shut directory, a root that is not there.
. "$srcdir/tests/cli/lib.sh"

mkdir -p r/shut s
printf 'same' >r/shut/a
printf 'same' >s/b
ordinary
scan r s
$as chmod 000 r/shut
run 3 refresh
err_has "$T/work/r/shut': Permission denied"
$as chmod 755 r/shut
mv s away
run 3 refresh
err_has 'offline'
mv away s
rows 'SELECT count(*) FROM file_view'
out <<'END'
2
END
run 0 refresh --racy-window 0s
run 0 report --format fdupes -c "$T/work/"
out <<'END'
r/shut/a
s/b

END
