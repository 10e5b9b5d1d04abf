# SPDX-License-Identifier: MIT
# The copies of many equal files are listed with one of them, to which the others refer: no listing grows with the square
# of a set.  Few copies are listed with each.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for i in 0 1 2 3 4 5 6 7 8 9; do
	printf 'many' >d/f$i
done
printf 'few' | tee d/p >d/q
printf 'many' >e/f
ln d/f1 d/link
scan .

run 0 file -c "$T/work/" d
out <<'END1'
       dup  d/f0
            copy  d/f1
            copy  d/f2
            copy  d/f3
            copy  d/f4
            copy  d/f5
            copy  d/f6
            copy  d/f7
            copy  d/f8
            copy  d/f9
            copy  d/link
            copy  e/f
       dup  d/f1 (copies: see d/f0)
       dup  d/f2 (copies: see d/f0)
       dup  d/f3 (copies: see d/f0)
       dup  d/f4 (copies: see d/f0)
       dup  d/f5 (copies: see d/f0)
       dup  d/f6 (copies: see d/f0)
       dup  d/f7 (copies: see d/f0)
       dup  d/f8 (copies: see d/f0)
       dup  d/f9 (copies: see d/f0)
       dup  d/link (copies: see d/f0)
       dup  d/p
            copy  d/q
       dup  d/q
            copy  d/p
END1
cp "$T/out" "$T/file"
for command in ls dups; do
	run 0 $command -v -c "$T/work/" d
	grep -c 'copies: see d/f0' "$T/out" >"$T/n"
	run 0 $command -v --sort size --reverse --format json d
	[ "$(grep -o '"members_of":"[^"]*d/f0"' "$T/out" | wc -l)" -eq 10 ] || fail "$command --format json"
	[ "$(grep -o '"members":' "$T/out" | wc -l)" -eq 3 ] || fail "$command: members"
done
# What is asked about itself has them.
run 0 file -c "$T/work/" d/f7
out_lacks see
out_has 'copy  d/f0'

# In groups each file stands once; a link, which a group lacks, by itself.
run 0 file --format fdupes -c "$T/work/" d
sort "$T/out" | sed '/^$/d' | uniq -c | awk '{ print $1, $2 }' >"$T/got"
printf '1 d/f0\n2 d/f1\n1 d/f2\n1 d/f3\n1 d/f4\n1 d/f5\n1 d/f6\n1 d/f7\n1 d/f8\n1 d/f9\n2 d/link\n2 d/p\n2 d/q\n1 e/f\n' >"$T/want"
cmp "$T/want" "$T/got" || {
	show_run
	fail 'groups'
}

# Few are listed with each, also where another index is asked.
mkdir o
printf 'few' >o/r
run 0 --db "$T/other.db" scan --racy-window 0s --secret-from "$TWINDEX_DB" o
run 0 file --with "$T/other.db" -c "$T/work/" d/p d/q
[ "$(grep -c 'copy  o/r' "$T/out")" -eq 2 ] || fail 'with another index'
out_lacks see

# Those that are not listed are not referred to.
run 0 ls -v --name 'f[34]' --format json d
[ "$(grep -o '"members_of":"[^"]*d/f3"' "$T/out" | wc -l)" -eq 1 ] || fail 'refers to what is not listed'
run 0 file --format csv d
[ "$(wc -l <"$T/out")" -eq 27 ] || fail 'csv'
run 0 file -0 d
