# SPDX-License-Identifier: MIT
# rm --in and mark drop --in: only copies there count, and what is not known of that place makes status 3.
. "$srcdir/tests/cli/lib.sh"

mkdir -p down pics/2023 else
for f in 1 2 3 4; do printf 'content %s' $f >down/$f; done
cp down/1 pics/2023/a
cp down/2 else/
cp down/3 down/33
ln down/4 pics/4
scan .
run 1 rm -rn down --in pics
out <<END
stays: $T/work/down/2 (no copy of it is at or below a directory of --in)
stays: $T/work/down/3 (no copy of it is at or below a directory of --in)
stays: $T/work/down/33 (no copy of it is at or below a directory of --in)
stays: $T/work/down/4 (linked: all its names are one copy)
would remove: $T/work/down/1
       stays: $T/work/pics/2023/a
would remove 1 file, 4.0 KiB on disk
END
# One copy stays there, too; several directories count as one.
cp down/1 pics/1
scan .
run 1 rm -rn . --in pics --in else
out_has 'would remove 3 files'
out_has "would remove: $T/work/pics/2023/a"
out_has "would remove: $T/work/down/2"
# What a scan has not seen of pics may be what is missing.
run 1 rm -rnq down --in pics
printf 'new' >pics/new
run 3 rm -rn down --in pics
err_has 'not judged: 1 new'
# It does not matter where nothing is missing.
run 0 rm -n down/1 --in pics
# Marks: the same.
rm pics/new
run 3 mark drop down --in pics
run 0 marks --drop -0 -c "$T/work/"
printf 'down/1\0' | out
run 1 mark drop down/2 --in pics
err_has "'$T/work/down/2' is not marked: no copy of it is at or below a directory of --in"
run 0 mark drop down/2
run 1 rm --marked -n --in pics
out_has "stays: $T/work/down/2 (no copy of it is at or below a directory of --in)"
out_has "would remove: $T/work/down/1"
: >pics/.hidden
scan . --no-hidden
run 3 mark drop down/3 --in pics
err_has 'not judged: 1 hidden'
# mark drop has the rules of rm; other marks have none.
run 0 mark clear .
run 3 mark drop down pics --keep in:down --copies 2
run 0 marks --drop -0 -c "$T/work/"
printf 'pics/2023/a\0' | out
run 0 marks --keep -0 -c "$T/work/"
printf 'down/1\0pics/1\0' | out
run 2 mark keep down --in pics
err_has 'for mark drop'
run 0 mark clear .
run 0 rm down/1 --in pics --yes
[ ! -e down/1 ] && [ -e down/2 ] || fail "left: $(ls down)"
