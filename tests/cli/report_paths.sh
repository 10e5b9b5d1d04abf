# SPDX-License-Identifier: MIT
# A path restricts report to the sets with a copy below it; /data is no prefix of /data2.
. "$srcdir/tests/cli/lib.sh"

mkdir -p data/sub data2 datb
printf 'first' >data/a
printf 'first' >data2/a
printf 'other set' >data2/b
printf 'other set' >datb/b
printf '3' >data/sub/c
printf '3' >data/sub/d
scan .
sets() { run 0 report --sort path --format fdupes -c "$T/work/" "$@"; }
sets data
out <<'END'
data/a
data2/a

data/sub/c
data/sub/d

END
sets data2
out <<'END'
data/a
data2/a

data2/b
datb/b

END
sets data/sub
out <<'END'
data/sub/c
data/sub/d

END
sets -p datb -p data/sub/
out <<'END'
data/sub/c
data/sub/d

data2/b
datb/b

END
sets data/sub/c
out <<'END'
data/sub/c
data/sub/d

END
run 2 report nowhere
err_has "nowhere' does not exist"
mkdir fresh
run 2 report fresh
err_has 'not in the index'
out </dev/null
