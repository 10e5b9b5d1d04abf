# SPDX-License-Identifier: MIT
# du: --sort by size, redundant bytes, share or name, and --top.
. "$srcdir/tests/cli/lib.sh"

mkdir big half small
printf '%01000d' 1 >big/alone
printf '%0400d' 1 >big/x
printf '%0400d' 1 >half/x
printf '%0500d' 2 >half/y
printf '%0100d' 3 >small/x
printf '%0100d' 3 >small/y
printf '%0100d' 3 >here
names() { sed -n 's|.*"path":"[^"]*/\([a-z]*\)","kind":"\([a-z]*\)".*|\2 \1|p' "$T/out" | tr '\n' ' '; }
order()
{
	got=$(names)
	[ "$got" = "$1" ] || fail "order: $got instead of $1"
}
scan .
run 0 du --json
order 'dir big dir half dir small files work '
run 0 du --json --sort redundant
order 'dir big dir half dir small files work '
run 0 du --json --sort share
order 'files work dir small dir half dir big '
run 0 du --json -s name
order 'files work dir big dir half dir small '
run 0 du --json --top 2
order 'dir big dir half '
out_has '"files":7,'
run 0 du --bytes --top 2 -c "$T/"
out <<'END'
size                                            redundant  duplicated
1400  ########################################        400         28%  big/
 900  ##########################                      400         44%  half/
                                                                       ... 2 more
2600                                                  600         42%  work/
END
run 0 du --bytes --top 3 -s name -c "$T/"
out_has '... 1 more'
run 2 du --sort colour
err_has 'size, redundant, share, name'
