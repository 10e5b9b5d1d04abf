# SPDX-License-Identifier: MIT
# tree: the numbers of du, level by level, largest first; --depth, --min-size and --top per directory.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/aa/aaa/aaaa a/ab b c
printf '%0400d' 1 >a/aa/aaa/aaaa/f
printf '%0200d' 2 >a/ab/f
printf '%0030d' 3 >a/f
printf '%0200d' 2 >b/f
printf '%0010d' 4 >c/f
scan .
run 0 tree --bytes
out <<END
size  redundant  duplicated
 840        200         47%  $T/work/
 630        200         31%    a/
 400          0          0%      aa/
 200        200        100%      ab/
  30          0          0%      ./
 200        200        100%    b/
  10          0          0%    c/
END
run 0 tree --bytes --depth 1 a
out <<END
size  redundant  duplicated
 630        200         31%  $T/work/a/
 400          0          0%    aa/
 200        200        100%    ab/
  30          0          0%    ./
END
run 0 tree --bytes --depth 0 --min-size 100
out <<END
size  redundant  duplicated
 840        200         47%  $T/work/
 630        200         31%    a/
 400          0          0%      aa/
 400          0          0%        aaa/
 400          0          0%          aaaa/
 200        200        100%      ab/
                                 ... 1 more
 200        200        100%    b/
                               ... 1 more
END
run 0 tree --bytes --top 1 --sort redundant
out <<END
size  redundant  duplicated
 840        200         47%  $T/work/
 630        200         31%    a/
 200        200        100%      ab/
                                 ... 2 more
                               ... 2 more
END
run 0 tree --format fdupes -c "$T/work/"
out <<'END'
a
a/aa
a/ab
b
c
END
run 0 tree --format csv --depth 3 -c "$T/work/" --sort name a/aa
printf '%s\r\n' 'kind,depth,files,bytes,duplicated,share,redundant,path,path_b64' \
	'"dir",1,1,400,0,0.0,0,"a/aa/aaa",' '"dir",2,1,400,0,0.0,0,"a/aa/aaa/aaaa",' '"total",,1,400,0,0.0,0,"a/aa",' | out
