# SPDX-License-Identifier: MIT
# --dry-run says what a scan would do and changes nothing.
. "$srcdir/tests/cli/lib.sh"

printf 'same' >a
printf 'same' >b
printf 'other' >c
scan .
printf 'same' >d
rm c
sum() { rows 'SELECT * FROM file_view'; cat "$T/out"; rows 'SELECT * FROM scan_view'; cat "$T/out"; rows 'SELECT * FROM root_view'; cat "$T/out"; }
before=$(sum)
run 0 scan -n .
out_line 'index       1 new, 0 changed, 1 gone, 2 unchanged'
out_line 'would read  1 file, up to 4 B'
run 0 scan --dry-run --no-hidden "$T"
[ "$before" = "$(sum)" ] || fail 'the index has changed'
run 0 check
scan .
out_line 'read        1 file, 4 B'

# At most: also where heads turn out to be equal, and of a file whose head alone is known.
head -c 100000 /dev/zero >big1
{
	printf 'x'
	head -c 99999 /dev/zero
} >big2
scan .
cp big1 big3
head -c 300000 /dev/zero >large1
cp large1 large2
run 0 scan -n .
bytes() { sed -n "s/^$1 .*, \(up to \)\{0,1\}\([0-9.]*\) KiB\$/\2/p" "$T/out"; }
most=$(bytes 'would read')
scan .
read=$(bytes read)
[ -n "$most" ] && [ "${most%.*}" -ge "${read%.*}" ] || fail "read $read KiB, said to be at most $most"
[ "${most%.*}" -le $((${read%.*} + 105)) ] || fail "said to be at most $most KiB, of $read"
