# SPDX-License-Identifier: MIT
# scan --hash-all hashes every file, so that indexes with one secret can be compared; it is stored with the root.
. "$srcdir/tests/cli/lib.sh"

mkdir t u
printf 'small' >t/small
head -c 100000 /dev/zero >t/large
head -c 100001 /dev/zero >t/link
ln t/link t/link2
head -c 50000 /dev/zero >t/head1
{
	printf 'x'
	head -c 49999 /dev/zero
} >t/head2
: >t/empty
mkdir t/sub
printf 'below it' >t/sub/f
printf 'another size' >u/no
unhashed() { rows 'SELECT path FROM file_view WHERE hash IS NULL AND size > 0 ORDER BY path'; }

# First asked for later: only what lacks a hash is read.
scan t
scan u
run 0 scan -n --hash-all t
out_line 'would read  6 files, up to 293.0 KiB'
out_line 'hash-all    4 files, 195.3 KiB of these for no other reason'
scan --hash-all t
out_line 'read        6 files, .*'
unhashed
out <<END
$T/work/u/no
END
run 0 info
out_has "$T/work/t  (--hash-all)"
# What is new or changed is hashed as well, unless nothing is.
scan
out_line 'read        0 files, 0 B'
printf 'a size of its own' >t/sub/new
printf 'smaller than it was' >t/large
scan
out_line 'read        2 files, .*'
unhashed
out <<END
$T/work/u/no
END
printf 'a size of its own again' >t/sub/new
run 0 refresh -q --racy-window 0s
unhashed
out <<END
$T/work/u/no
END
run 0 check

# At once, in another index, with the first one's secret: what is equal has equal hashes.
rows "SELECT hash FROM file_view WHERE name = 'small'"
cp "$T/out" "$T/first"
mkdir v
cp t/small v/elsewhere
run 0 --db "$T/second.db" --secret-from "$TWINDEX_DB" scan --racy-window 0s --hash-all v t
run 0 --db "$T/second.db" sql --no-header "SELECT hash FROM file_view WHERE name = 'elsewhere'"
cmp "$T/first" "$T/out" || fail 'the hashes differ'
run 0 --db "$T/second.db" sql --no-header 'SELECT count(*) FROM file_view WHERE hash IS NULL AND size > 0'
out <<'END'
0
END
# Options that are given replace it, and patterns stand beside it.
run 0 scan -q --hash-all --exclude nothing t
run 0 info
out_has '(--hash-all --exclude nothing)'
run 0 scan -q --hidden t
run 0 info
out_lacks '--hash-all'
