# SPDX-License-Identifier: MIT
# du takes any directory that is in the index or above a root, and no other; what is above roots has all of theirs.
. "$srcdir/tests/cli/lib.sh"

mkdir -p up/r1/in up/mid/r2 up/never r3/.hidden/root
printf '%0100d' 1 >up/r1/in/f
printf '%0100d' 1 >up/mid/r2/f
printf '%0050d' 1 >r3/f
printf '%0020d' 1 >r3/.hidden/root/f
printf 'x' >up/outside
scan up/r1 up/mid/r2
scan --no-hidden r3
scan r3/.hidden/root
run 3 du --bytes -c "$T/work/" up
out <<'END'
size                                            redundant  duplicated
 100  ########################################        100        100%  mid/
 100  ########################################        100        100%  r1/
 200                                                  100        100%  up/
END
# A root that its outer root leaves out lies in it all the same.
run 0 du --bytes -c "$T/work/" r3
out <<'END'
size                                            redundant  duplicated
  50  ########################################          0          0%  ./
  20  ################                                  0          0%  .hidden/
  70                                                    0          0%  r3/
END
run 3 du --json /
out_has '"total":{"path":"/","files":4,"bytes":270,'
run 0 du --json "$T/work/up/r1/../mid"
out_has '"total":{"path":"'"$T"'/work/up/mid","files":1,'
cd up || exit
run 0 du --json r1
cp "$T/out" "$T/r1"
cd r1 || exit
run 0 du --json
out <"$T/r1"
cd ../.. || exit
run 2 du up/never
err_has "up/never' is not in the index: scan it first"
out </dev/null
run 2 du up/nothing
err_has 'does not exist'
run 2 du r3/f
err_has "r3/f' is not a directory"
run 2 du up r3
err_has 'du takes one directory'
run 2 tree up r3
err_has 'tree takes one directory'
run 2 waste nothing
err_has 'does not exist'
# Files that are gone count as they were indexed.
rm -r up/r1
run 3 du --json up
out_has '"files":2,"bytes":200,'
