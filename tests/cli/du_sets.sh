# SPDX-License-Identifier: MIT
# du: bytes, redundant bytes and the share with another copy, of sets that span directories.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/deep b c empty
content() { printf "%0$2d" "$1"; }
# One content three times: twice in a, once in b; one twice in c; one in b and at the top; one alone.
content 1 1000 >a/one
content 1 1000 >a/deep/two
content 1 1000 >b/three
content 2 500 >c/x
content 2 500 >c/y
content 3 300 >b/z
content 3 300 >z
content 4 2200 >c/alone
scan .
run 0 check
run 0 du --bytes
out <<END
size                                            redundant  duplicated
3200  ########################################        500         31%  c/
2000  #########################                      2000        100%  a/
1300  ################                               1300        100%  b/
 300  ####                                            300        100%  ./
   0                                                    0           -  empty/
6800                                                 2800         67%  $T/work/
END
# As many as a report of everything tells.
run 0 report --bytes
out_has '2800 redundant'
run 0 du --bytes a
out <<END
size                                            redundant  duplicated
1000  ########################################       1000        100%  ./
1000  ########################################       1000        100%  deep/
2000                                                 2000        100%  $T/work/a/
END
run 0 du --bytes empty
out <<END
size  redundant  duplicated
   0          0           -  $T/work/empty/
END
