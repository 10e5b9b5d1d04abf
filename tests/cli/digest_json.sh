# SPDX-License-Identifier: MIT
# digest --json says sums and problems, or with --list the digests.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libgcrypt [0-9]' || skip 'built without libgcrypt'
need jq
printf 'abc' >a
printf 'four' >b
scan -q .
sleep 0.02
printf '!' >>b
run 3 digest --json --kind sha256,md5
[ "$(jq -r '"\(.kinds | join(" ")) \(.computed) \(.computed_bytes) \(.changed) \(.problems[0].path)"' "$T/out")" = "md5 sha256 1 3 1 $T/work/b" ] ||
	fail 'not these sums'
run 3 digest --json --list
[ "$(jq -r '"\(.lacking) \(.files[] | "\(.path) \(.kind) \(.digest)")"' "$T/out")" = \
	"1 $T/work/a sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" ] || fail 'not this list'
