# SPDX-License-Identifier: MIT
# uniques --in and dups --in: only copies there count, and of what is not known there status 3 tells where it matters.
. "$srcdir/tests/cli/lib.sh"

mkdir -p x in/deep else
for f in 1 2 3 4 5; do printf 'content %s' $f >x/$f; done
cp x/1 in/deep/a
cp x/2 else/
cp x/3 x/33
ln x/4 in/4
cp x/5 in/
cp x/5 else/
scan .
run 0 uniques x --in in
out <<END
$T/work/x/2
$T/work/x/3
$T/work/x/33
END
run 0 dups x --in in
out <<END
$T/work/x/1
$T/work/x/5
END
run 0 dups x --in in/deep --in else
out <<END
$T/work/x/1
$T/work/x/2
$T/work/x/5
END
# The copies that are shown are the same.
run 0 dups -v x --in else --json
out_lacks '"in/5"'
run 0 uniques in --in x -H
out </dev/null
# With -x, what lies in both does not count.
run 0 uniques x --in in -x in/deep
out_has "$T/work/x/1"
# A copy that is gone is none.
rm in/5
run 0 dups x --in in
out_lacks 'x/5'
# What nobody knows of in may hold the missing content.
printf 'content 2' >in/new
run 3 uniques x --in in
err_has 'not judged: 1 new'
run 3 dups x --in in
run 0 uniques x/1 --in in
run 0 dups x/1 --in in
# Nor does a name tell what a file holds that has changed there since the scan.
rm in/new
printf 'content 2' >in/deep/a
run 3 uniques x/2 --in in -v
err_has "not judged: $T/work/in/deep/a (changed)"
cp x/1 in/deep/a
# What nobody knows of another place does not matter.
scan .
printf 'new' >else/new
run 0 uniques x --in in
ordinary
mkdir shut
printf 'content Z' >shut/z
chmod 0 shut/z
run 3 scan --racy-window 0s .
run 0 uniques x --in in
run 3 uniques x --in in --in shut
run 2 uniques x --in typo
err_has "--in: '$T/work/typo' does not exist"
