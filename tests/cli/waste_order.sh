# SPDX-License-Identifier: MIT
# waste: as du, with the most redundant bytes first; its bars show them.
. "$srcdir/tests/cli/lib.sh"

mkdir big copies
printf '%09000d' 1 >big/alone
printf '%01000d' 1 >big/x
printf '%01000d' 1 >copies/x
printf '%01000d' 1 >copies/y
scan .
run 0 waste --bytes -c "$T/"
out <<'END'
 size                                            redundant  duplicated
 2000  ########################################       2000        100%  copies/
10000  ####################                           1000         10%  big/
12000                                                 2000         25%  work/
END
run 0 waste --bytes --sort size -c "$T/"
out <<'END'
 size                                            redundant  duplicated
10000  ########################################       1000         10%  big/
 2000  ########                                       2000        100%  copies/
12000                                                 2000         25%  work/
END
# Units are those of a report.
run 0 waste --si -t 1
out_has '2.0 kB'
run 0 waste
out_has '9.8 KiB'
