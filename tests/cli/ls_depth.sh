# SPDX-License-Identifier: MIT
# --depth N lists N levels of directories.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/b/c z
for f in top a/one a/b/two a/b/c/three z/zed; do printf '%s' "$f" >$f; done
scan .
run 0 ls --depth 1 -c "$T/work/"
out <<'END'
    unique  top
END
run 0 ls --depth 2 -c "$T/work/"
out <<'END'
    unique  top
    unique  a/one
    unique  z/zed
END
run 0 uniques --depth 1 a a/b -c "$T/work/"
out <<'END'
a/one
a/b/two
END
run 0 ls a/b -c "$T/work/"
out <<'END'
    unique  a/b/two
    unique  a/b/c/three
END
run 2 ls --depth x
err_has 'is not a number'
