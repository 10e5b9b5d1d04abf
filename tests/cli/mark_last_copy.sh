# SPDX-License-Identifier: MIT
# However the commands come, one inode of every content stays unmarked.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in d/1 d/2 d/3 e/4; do printf 'same' >$f; done
printf 'twins' >d/x
printf 'twins' >d/y
scan d e
marked() { rows "SELECT group_concat(name, ' ') FROM (SELECT replace(path, '$T/work/', '') AS name FROM mark_view WHERE decision = 'drop' ORDER BY path)"; }

# One by one, backwards.
for f in e/4 d/3 d/2; do run 0 mark drop $f; done
run 1 mark drop d/1
run 1 mark drop -v d/1
run 3 mark drop d
marked
out <<'END'
d/2 d/3 d/y e/4
END

# A directory that holds all copies of some; the first in the order of paths stays.
run 0 mark clear .
run 3 mark drop .
out <<'END'
4 files marked drop
END
err_has '2 files refused: -v lists them'
marked
out <<'END'
d/2 d/3 d/y e/4
END
run 3 mark drop . -v
out <<END
marked drop: $T/work/d/2 (already)
      stays: $T/work/d/1
marked drop: $T/work/d/3 (already)
      stays: $T/work/d/1
marked drop: $T/work/e/4 (already)
      stays: $T/work/d/1
marked drop: $T/work/d/y (already)
      stays: $T/work/d/x
0 files marked drop, 4 already
END
err_has "'$T/work/d/x' is not marked: the last copy"
err_has "'$T/work/d/1' is not marked: the last copy"
err_has '2 files refused'

# All given by name, one of them twice, one below another.
run 0 mark clear .
run 3 mark drop d/1 d/2 d/3 d d/1 e/4 e
marked
out <<'END'
d/2 d/3 d/y e/4
END

# What is marked keep is the one that stays, if one has to.
run 0 mark clear .
run 0 mark keep d/2 d/x
run 3 mark drop .
marked
out <<'END'
d/1 d/3 d/y e/4
END
run 1 mark drop d/2
run 1 mark drop d/x
run 0 marks --keep -0 -c "$T/work/"
printf 'd/2\0d/x\0' | out

# What was to stay is moved into a trash, which will be emptied.
run 0 mark clear .
run 3 mark drop d
mkdir -p .Trash-7/files
mv e .Trash-7/files/e
scan .
run 0 marks -c "$T/work/"
out <<'END'
      drop         4 B  d/1 (last: no copy is there that may be relied on, and is not marked drop)
      drop         4 B  d/2 (last: no copy is there that may be relied on, and is not marked drop)
      drop         4 B  d/3 (last: no copy is there that may be relied on, and is not marked drop)
      drop         5 B  d/y
1 to drop, 4.0 KiB to be freed on disk, 3 last
END
run 0 marks -0 -c "$T/work/"
printf 'd/y\0' | out
