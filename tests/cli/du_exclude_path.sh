# SPDX-License-Identifier: MIT
# With -x a directory is as if it did not exist: it is not shown, and copies there are none.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/sub b
printf '%0100d' 1 >a/f
printf '%0100d' 1 >b/f
printf '%0040d' 1 >a/sub/g
scan .
run 0 du --bytes -x b
out <<END
size                                            redundant  duplicated
 140  ########################################          0          0%  a/
 140                                                    0          0%  $T/work/
END
run 0 tree --bytes -x a/sub a
out <<END
size  redundant  duplicated
 100        100        100%  $T/work/a/
 100        100        100%    ./
END
