# SPDX-License-Identifier: MIT
# at-risk --in: what could not be judged of the directory may be the copies that are missed there: status 3, and why.
. "$srcdir/tests/cli/lib.sh"

mkdir -p home/in backup other
printf 'one' >home/1
printf 'two' >home/in/2
cp home/1 home/in/2 backup
scan .
run 0 at-risk home --in backup
# A copy is new there: nothing is at risk for certain.
rm backup/1
scan .
run 1 at-risk home --in backup -0
printf '%s\0' "$T/work/home/1" | out
err_lacks twindex
cp home/1 backup/again
run 3 at-risk home --in backup -0
printf '%s\0' "$T/work/home/1" | out
err_has '1 new since the scan'
run 3 at-risk home --in other --in backup -v
err_has "$T/work/backup/again"
# Nothing is missed: what is new there is of no concern.
run 0 at-risk home/in --in backup
err_lacks twindex
# Nothing is known of a directory that no scan has met.
run 1 at-risk home --in "$HOME"
cp home/1 "$HOME"
run 3 at-risk home --in "$HOME"
rm backup/again
# So may a file that has changed there since the scan; one that is gone is none.
cp home/1 backup/2
run 3 at-risk home --in backup -v -0
err_has "not judged: $T/work/backup/2 (changed)"
rm backup/2
run 1 at-risk home --in backup -0
cp home/in/2 backup
scan .
mkdir backup/new
run 3 at-risk --in backup
err_has '1 directory new since the scan'
# What is asked about is counted once.
run 3 at-risk --in backup . -v
err_has 'not judged: 1 directory new since the scan'
run 3 at-risk --in .
err_has 'not judged: 1 directory new since the scan'
rmdir backup/new
run 1 at-risk --in backup .
