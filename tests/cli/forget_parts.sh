# SPDX-License-Identifier: MIT
# forget drops a root, a directory or a file from the index alone; a scan of what is above finds them again.
. "$srcdir/tests/cli/lib.sh"

mkdir -p data/sub data2 other
for f in data/a data/b data/sub/c data2/d other/e; do printf 'same' >$f; done
scan data data2
scan other
names() { rows "SELECT substr(path, length('$T/work/') + 1) FROM file_view ORDER BY path"; }
run 0 forget data/a
out <<'END'
forgot 1 file
END
run 0 forget data/../data/sub/
names
out <<'END'
data/b
data2/d
other/e
END
run 0 check
[ -f data/a ] && [ -f data/sub/c ] || fail 'files are gone!'
scan data
out_line 'index       2 new, 0 changed, 0 gone, 1 unchanged'
run 0 forget data other
names
out <<'END'
data2/d
END
rows 'SELECT path FROM root_view'
out <<END
$T/work/data2
END
run 0 report
out <<'END'
No duplicates.
END
run 0 check
run 2 forget data
err_has 'is not in the index'
run 2 forget
err_has 'needs a path'
scan data
run 0 report --format fdupes -c "$T/work/"
out_has 'data/sub/c'
run 0 check
