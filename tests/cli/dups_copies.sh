# SPDX-License-Identifier: MIT
# -v lists the copies of each file, also those outside of what was asked for, and marks the stale ones.
. "$srcdir/tests/cli/lib.sh"

mkdir one two
printf 'same' >one/a
printf 'same' >two/b
printf 'same' >two/c
printf 'same' >two/d
ln one/a two/e
scan .
printf 'else' >two/c
rm two/d
run 0 dups -v one -c "$T/work/"
out <<'END'
one/a
            copy  two/b
             ---  two/c (changed)
             ---  two/d (gone)
            link  two/e
END
# The last copy that stood is gone: no dup any more.
rm two/b
run 3 dups one
out </dev/null
run 0 ls one -c "$T/work/"
out <<'END'
   unknown  one/a (another copy has changed since the scan)
END
rm two/c
run 0 ls one -v -c "$T/work/"
out <<'END'
    linked  one/a
             ---  two/b (gone)
             ---  two/c (gone)
             ---  two/d (gone)
            link  two/e
END
