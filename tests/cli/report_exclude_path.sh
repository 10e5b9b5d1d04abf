# SPDX-License-Identifier: MIT
# -x pretends that a directory does not exist, at component boundaries; what is left may be no set any more.
. "$srcdir/tests/cli/lib.sh"

mkdir -p data/sub data2 keep
printf 'same' >data/sub/a
printf 'same' >data2/b
printf 'same' >keep/c
scan .
run 0 report -x data -c "$T/work/"
out <<'END'
2 copies of 4 B each, 4 B redundant
  data2/b
  keep/c
  skip data/sub/a (excluded)

1 set, 2 files, 4 B redundant
END
run 0 report -x data -x keep --format fdupes
out </dev/null
run 0 report --exclude-path data/sub --format fdupes -c "$T/work/"
out <<'END'
data2/b
keep/c

END
