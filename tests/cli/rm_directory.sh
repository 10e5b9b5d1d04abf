# SPDX-License-Identifier: MIT
# rm -r takes the files below a directory that have a copy, lists what stays, and says with -n what it would do.
. "$srcdir/tests/cli/lib.sh"

mkdir -p old/sub new
printf 'one' >old/1
printf 'one' >new/1
printf 'two' >old/sub/2
printf 'two' >new/2
printf 'only' >old/sub/u
scan .
run 2 rm old --yes
err_has "'$T/work/old' is a directory: use -r"
run 1 rm -rn old
sed -i '$s/, .*//' "$T/out"
out <<END
stays: $T/work/old/sub/u (unique)
would remove: $T/work/old/1
       stays: $T/work/new/1
would remove: $T/work/old/sub/2
       stays: $T/work/new/2
would remove 2 files
END
[ -e old/1 ] && [ -e old/sub/2 ] && [ ! -e "$TWINDEX_DB-acts" ] || fail '-n did something'
run 1 rm -r old --yes
out_has "stays: $T/work/old/sub/u (unique)"
out_has '2 files removed'
find . -type f | sort >"$T/left"
printf './new/1\n./new/2\n./old/sub/u\n' | cmp - "$T/left" || fail 'other files are left than should be'
run 0 check

# A file that is new since the scan could not be judged.
printf 'one' >new/3
run 3 rm -r new --yes
err_has 'not judged: 1 new'
