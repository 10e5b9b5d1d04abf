# SPDX-License-Identifier: MIT
# digest computes what sha256sum and its like compute, each inode once, and --list prints what sha256sum -c takes.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libgcrypt [0-9]' || skip 'built without libgcrypt'
need sha256sum sha1sum md5sum sha512sum b2sum
mkdir d
printf 'same' >d/a
cp d/a d/b
ln d/a d/link
head -c 700000 /dev/urandom >d/large
head -c 300000 /dev/urandom >d/medium
: >d/empty
printf '1' >'d/back\slash'
printf '2' >"d/new${newline}line"
printf '3' >"d/return$(printf '\r.')"
printf '4' >"d/$(printf 'latin\344')"
truncate -s 3M d/holes 2>/dev/null && printf 'end' >>d/holes
scan -q .

run 3 digest --list
says "$T/out" "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  $T/work/d/empty" || fail 'not the empty file alone'
err_has "files have no sha256 that holds: 'twindex digest --kind sha256' computes it"
run 0 digest --racy-window 0s
out_line 'computed    9 files, .*'
run 0 digest --racy-window 0s
out_line 'computed    0 files, 0 B'
out_line 'known       9 files, .*'
out_line 'read        0 B'
run 0 digest --force --racy-window 0s d/a d
out_line 'computed    9 files, .*'
# What was read right after a change is read again, as in a scan.
run 0 digest d/a
out_line 'computed    1 file, 4 B'

run 0 digest --list
sha256sum -c --quiet "$T/out" || fail 'sha256sum -c does not take the list'
[ "$(wc -l <"$T/out")" -eq 11 ] || fail 'not a line for every name'
# Line for line, as far as its version has the same escapes.
find "$T/work/d" -type f ! -name 'return*' -exec sha256sum {} + | sort >"$T/want"
grep -v 'return' "$T/out" | sort | cmp - "$T/want" || fail 'not what sha256sum prints'

# All others from one read.
run 0 digest --kind md5,sha1 -k blake2b --kind sha512 --racy-window 0s
out_line 'computed    9 files, .*'
for kind in md5 sha1 sha512; do
	run 0 digest --list --kind $kind
	${kind}sum -c --quiet "$T/out" || fail "${kind}sum -c does not take the list"
done
run 0 digest --list --kind blake2b d
b2sum -c --quiet "$T/out" || fail 'b2sum -c does not take the list'
run 0 digest --list d/b
says "$T/out" "$(sha256sum "$T/work/d/b")" || fail 'not that file alone'
# A kind that one of them lacks.
run 0 digest --kind sha256,md5 --racy-window 0s
out_line 'computed    0 files, 0 B'

run 0 info
out_line 'digests     md5 of 9 files, sha1 of 9 files, sha256 of 9 files, sha512 of 9 files, blake2b of 9 files'

# A digest goes with the state of the file that was read.
sleep 0.02
printf 'more' >>d/b
run 3 digest --force d/b
out_line 'changed     1 file'
err_has "'$T/work/d/b': it is not as the index has it: scan it first"
scan -q .
run 3 digest --list d/b
err_has '1 file has no sha256 that holds'
run 0 digest --racy-window 0s
out_line 'computed    1 file, 8 B'
run 0 digest --list
sha256sum -c --quiet "$T/out" || fail 'not the new content'

rm d/large
run 3 digest --force d
out_line 'gone        1 file'
run 0 check

run 2 digest --kind sha3
err_has "option '--kind': 'sha3' is not md5, sha1, sha256, sha512 or blake2b"
run 2 digest --kind sha256,
run 2 digest --list --kind sha256,md5
err_has '--list prints one kind of digest'
run 2 digest --list --force
run 2 digest nowhere
err_has nowhere
