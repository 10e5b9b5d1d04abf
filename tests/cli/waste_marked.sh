# SPDX-License-Identifier: MIT
# waste has a column of what is marked drop, while there are marks: inodes count once, where all of their names are.
. "$srcdir/tests/cli/lib.sh"

mkdir -p d/a/sub d/b
for f in 1 2 3; do
	head -c ${f}000 /dev/zero | tr '\0' "$f" >d/a/$f
	cp d/a/$f d/b/$f
done
cp d/a/3 d/a/sub/3
scan d
run 0 waste d
out_lacks marked
run 0 mark drop d/b/1 d/a/sub/3
run 0 waste --bytes d
cat >"$T/want" <<EOF
  size             redundant  duplicated  marked
EOF
sed 's/  *#*  */ /g' "$T/out" >"$T/got"
grep -q '^ *size redundant duplicated marked$' "$T/got" || fail "head: $(head -1 "$T/got")"
grep -q ' 3,*000 a/$' "$T/got" || { show_run; fail 'a'; }
grep -q ' 1,*000 b/$' "$T/got" || { show_run; fail 'b'; }
grep -q " 4,*000 $T/work/d/\$" "$T/got" || { show_run; fail 'the total'; }
run 0 du d
out_lacks marked
run 0 waste --json d
out_has '/work/d","marked":4000,"files":7,'
run 0 waste --format csv -c "$T/work/" d
printf '%s\r\n' 'kind,depth,files,bytes,duplicated,share,redundant,path,path_b64,marked' >"$T/want"
head -n 1 "$T/out" | cmp - "$T/want" || fail 'the header of CSV'
out_line '"dir",1,3,6000,.*,"d/b",,1000.'
out_line '"total",,7,.*,"d",,4000.'
run 0 du --format csv d
out_lacks marked
# An inode goes when all of its names do.
ln d/b/2 d/a/link
scan d
run 0 mark drop d/b/2
run 0 waste --json d
out_has '/work/d","marked":4000,'
run 0 mark drop d/a/link
run 0 waste --json d
out_has '/work/d","marked":6000,'
run 0 waste --json d/b
out_has '/work/d/b","marked":1000,'
# What has another content now, or is left out, does not count.
printf 'else' >d/b/1
scan d
run 0 waste --json d
out_has '/work/d","marked":5000,'
run 0 waste --json -x d/a/sub d
out_has '/work/d","marked":2000,'
