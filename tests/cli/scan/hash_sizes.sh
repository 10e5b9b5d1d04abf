# SPDX-License-Identifier: MIT
# scan --hash-sizes reads files of the sizes in a file whole, even where no other file here has the size.
. "$srcdir/tests/cli/lib.sh"

mkdir t t/sub u
printf 'four' >t/four
printf 'sixsix' >t/sixsix
head -c 100000 /dev/zero >t/large
head -c 100001 /dev/zero >t/link
ln t/link t/link2
head -c 50000 /dev/zero >t/head1
{
	printf 'x'
	head -c 49999 /dev/zero
} >t/head2
: >t/empty
printf 'twin!' >t/twin1
printf 'twin!' >t/sub/twin2
printf 'four hundred' >t/sub/other
printf '%s' elsewhere >u/nine
unhashed() { rows 'SELECT name FROM file_view WHERE hash IS NULL AND size > 0 ORDER BY name'; }

# A first scan, and sizes in any order, twice, with blank lines and CRLF, and none of any file here.
printf '100000\r\n\n  12 \t\n12\r\n\r\n9223372036854775807\n0' >"$T/sizes"
run 0 scan -q --racy-window 0s --hash-sizes "$T/sizes" t u
unhashed
out <<'END'
four
head1
head2
link
link2
nine
sixsix
END
run 0 check
# It is of this run alone, and what was read stays valid.
run 0 info
out_lacks 'hash'
scan
out_line 'read        0 files, 0 B'

# Later: files that an earlier scan had no need to read; of a size of two, both whole.
printf '4\n50000\n100001\n9\n' >"$T/sizes"
run 0 scan -n --hash-sizes "$T/sizes" t
out_line 'would read  4 files, .*'
run 0 scan --racy-window 0s --hash-sizes "$T/sizes" t
out_line 'read        4 files, .*'
out_line 'hash-sizes  2 files, 97.7 KiB of these for no other reason'
# nine lies below a root that was not named.
unhashed
out <<'END'
nine
sixsix
END
run 0 scan --racy-window 0s --hash-sizes - <"$T/sizes"
out_line 'read        1 file, 9 B'
unhashed
out <<'END'
sixsix
END
run 0 check
out <<'END'
ok
END
# Hashes that nothing here needed say nothing new about these files.
run 0 uniques -c "$T/work/"
out <<'END'
t/four
t/head1
t/head2
t/large
t/sixsix
t/sub/other
u/nine
END
run 0 report --format fdupes -c "$T/work/"
out <<'END'
t/sub/twin2
t/twin1

END
run 1 file t/four
out_has unique
# A file that changes its size, and a new one.
printf 'sixsixsix!' >t/sixsix
printf 'brand' >t/brand
echo 10 >"$T/sizes"
scan --hash-sizes "$T/sizes"
run 0 sql --no-header "SELECT name FROM file_view WHERE size IN (5, 10) AND hash IS NULL"
out </dev/null
# The hash is the one that any scan makes: a copy is found without reading the file again.
cp t/large u/copy
scan
out_line 'read        1 file, .*'
run 0 dups -c "$T/work/" t/large
out_has 't/large'

# Where mtimes are trusted a new name keeps the hash, though nothing here needs it.
mkdir v
printf 'seventeen letters' >v/old
echo 17 >"$T/sizes"
run 0 scan --racy-window 0s --trust-mtime --hash-sizes "$T/sizes" v
mv v/old v/new
run 0 scan --racy-window 0s
out_line 'read        0 files, 0 B'
rows "SELECT name, hash IS NOT NULL FROM file_view WHERE size = 17"
printf 'new\t1\n' | out || exit
# Not if it was written to.
printf 'SEVENTEEN LETTERS' >v/new
mv v/new v/newer
run 0 scan --racy-window 0s
rows "SELECT name, hash IS NOT NULL FROM file_view WHERE size = 17"
printf 'newer\t0\n' | out || exit
run 0 check

# A bad line names the file and the line; nothing is scanned then, and no index made.
bad() {
	printf "$1" >"$T/bad"
	run 2 --db "$T/none.db" scan --hash-sizes "$T/bad" t
	err_has "bad:$2: "
	[ ! -e "$T/none.db" ] || fail 'it has made an index'
}
bad '1\n2k\n' 2
bad '7\n\n-5\n' 3
bad '9223372036854775808' 1
bad '12 13\n' 1
bad '1.5\n' 1
bad '%0200d\n' 1
bad '\00012\n' 1
run 2 scan --hash-sizes absent t
err_has "'absent' does not exist"
run 2 scan --hash-sizes - --files0-from - t </dev/null
: >"$T/none"
scan --hash-sizes "$T/none"
out_line 'read        0 files, 0 B'

# Stopped by --max-time or a signal, it keeps what it has read, and the next one goes on.
need timeout
truncate -s 400G t/big 2>/dev/null || skip 'no files of this size here'
printf 'of eleven b' >t/eleven
scan
printf '11\n429496729600\n' >"$T/sizes"
timeout -k 2 6 "$TWINDEX" scan --racy-window 0s --max-time 200ms --hash-sizes "$T/sizes" >"$T/out" 2>"$T/err"
got=$?
[ $got -eq 3 ] || fail "exit status $got after --max-time"
out_has 'stopped by --max-time'
run 0 check
pid=
trap 'kill -9 $pid 2>/dev/null; cleanup' EXIT
"$TWINDEX" scan --racy-window 0s --hash-sizes "$T/sizes" >"$T/out" 2>"$T/err" &
pid=$!
n=0
until ls -l /proc/$pid/task/*/fd 2>/dev/null | grep -q '/big$' || [ $((n += 1)) -gt 50 ]; do
	sleep 0.02
done
kill -TERM $pid
wait $pid
got=$?
pid=
[ $got -eq 143 ] || fail "exit status $got after SIGTERM"
err_has 'interrupted'
run 0 check
truncate -s 400K t/big
echo 409600 >>"$T/sizes"
scan --hash-sizes "$T/sizes"
rows "SELECT name FROM file_view WHERE size IN (11, 409600) AND hash IS NOT NULL ORDER BY name"
out <<'END'
big
eleven
END
run 0 check
run 1 file t/big
out_has unique
